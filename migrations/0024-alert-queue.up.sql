-- The queue of open alerts in the order in which they are worked off, and a filter on CVEs that are known to be exploited. Not breaking.

create index alerts_urgency_index on alerts (priority, id) where acknowledged_at is null;

-- Other domains ask by this, instead of reading the catalogue themselves.
create function is_known_exploited(cve text) returns boolean language sql stable parallel safe as $$
  select exists (select from kev_entries where kev_entries.cve_id = cve)
$$;
