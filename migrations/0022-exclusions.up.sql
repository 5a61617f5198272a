-- Values and patterns that analysts know to be harmless: what they cover is stored and collected as before, and counts nowhere. Not breaking.
create table exclusions (
  id         uuid primary key,
  -- VALUE: that value alone. DOMAIN: the name and every name below it. NETWORK: the range, and every address and range inside it. HOST: every URL
  -- on that host. No kind crosses over: a harmless hosting domain can carry a harmful URL.
  kind       text collate "C" not null constraint exclusions_kind_check check (kind in ('VALUE', 'DOMAIN', 'NETWORK', 'HOST')),
  -- What a VALUE is; null for patterns.
  type       text collate "C" constraint exclusions_type_check check ((type is not null) = (kind = 'VALUE')),
  -- In its normal form; an IPv6 HOST in its brackets.
  value      text collate "C" not null constraint exclusions_value_check check (length(value) between 1 and 4096),
  -- Of a NETWORK: the same range, to compare with.
  network    inet constraint exclusions_network_check check ((network is not null) = (kind = 'NETWORK')),
  reason     text not null constraint exclusions_reason_check check (length(reason) between 3 and 2000),
  created_by text not null,
  created_at timestamptz(3) not null,
  -- Ends by itself; null when it does not.
  ends_at    timestamptz(3),
  -- Of an exclusion that came with a warning list: which one, and its name then. The list may be gone.
  list_id    uuid,
  list_name  text
);
create unique index exclusions_value_unique on exclusions (kind, indicator_key(value));
create index exclusions_network_index on exclusions (network) where network is not null;
create index exclusions_list_index on exclusions (list_id) where list_id is not null;

-- Prefix lengths that excluded ranges use or have used, so that an address is looked up by a handful of equalities.
create table exclusion_lengths (
  family integer not null constraint exclusion_lengths_family_check check (family in (4, 6)),
  length integer not null,
  primary key (family, length)
);

-- Until when the exclusions that cover the value keep it out: 'infinity' without an end, null or a moment in the past for not at all.
-- A mark on the row, because every list and count asks for it; `mark_excluded` and the services of exclusions keep it true.
alter table indicators add column excluded_until timestamptz(3);
create index indicators_excluded_index on indicators (id) where excluded_until is not null;

-- The one place that decides whether an indicator is excluded. Every statement that counts, hunts, correlates or shares asks here.
create function is_excluded(excluded_until timestamptz, as_of timestamptz) returns boolean language sql immutable parallel safe as $$
  select excluded_until is not null and excluded_until > as_of
$$;

-- The exclusions that cover a value, ended ones included, the value's own before names and ranges around it. Every probe is an equality.
create function exclusions_covering(of_type text, of_value text) returns setof exclusions language sql stable parallel safe as $$
  select own.* from exclusions own where own.kind = 'VALUE' and indicator_key(own.value) = indicator_key(of_value) and own.type = of_type
  union all
  select above.*
  from (select string_to_array(of_value, '.') as labels where of_type = 'DOMAIN') host
  cross join lateral generate_series(1, cardinality(host.labels) - 1) at
  join exclusions above on above.kind = 'DOMAIN' and indicator_key(above.value) = indicator_key(array_to_string(host.labels[at:], '.'))
  union all
  select hosting.* from exclusions hosting where of_type = 'URL' and hosting.kind = 'HOST' and indicator_key(hosting.value) = indicator_key(host_of(of_type, of_value))
  union all
  select around.*
  from (select of_value::inet as network where of_type in ('IPV4', 'IPV6', 'NETWORK')) address
  join exclusion_lengths used on used.family = family(address.network) and used.length <= masklen(address.network)
  join exclusions around on around.network = network(set_masklen(address.network, used.length))::inet
$$;

-- New indicators are marked in the statement that stores them, whoever does: a collection, a delivery or a submission. Writers of indicators hold a
-- lock that keeps new exclusions out meanwhile, so that neither misses the other.
create function mark_excluded() returns trigger language plpgsql as $$
begin
  if exists (select from exclusions) then
    update indicators set excluded_until = covered.until
    from (
      select fresh.id, max(coalesce(by.ends_at, 'infinity')) as until
      from fresh cross join lateral exclusions_covering(fresh.type, fresh.value) by
      group by fresh.id
    ) covered
    where indicators.id = covered.id;
  end if;
  return null;
end
$$;
create trigger indicators_mark_excluded after insert on indicators referencing new table as fresh for each statement execute function mark_excluded();
