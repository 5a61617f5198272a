-- Incidents: what is being done about what is known, and a timeline that nobody can rewrite. Not breaking.

create table incidents (
  -- UUIDv7: the list is in the order of its ids.
  id              uuid primary key,
  title           text not null constraint incidents_title_check check (length(title) between 1 and 200),
  description     text not null default '' constraint incidents_description_check check (length(description) <= 10000),
  status          text not null default 'OPEN'
                  constraint incidents_status_check check (status in ('OPEN', 'ANALYSIS', 'CONTAINMENT', 'ERADICATION', 'RECOVERY', 'CLOSED')),
  severity        text not null constraint incidents_severity_check check (severity in ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  level           text not null default 'L1' constraint incidents_level_check check (level in ('L1', 'L2', 'L3')),
  assignee_id     uuid references users (id),
  -- Of the last close; null while it is not closed. What earlier closes said stands in the timeline.
  resolution      text constraint incidents_resolution_check
                  check (resolution in ('TRUE_POSITIVE_IMPACT', 'TRUE_POSITIVE_NO_IMPACT', 'FALSE_POSITIVE', 'DUPLICATE', 'NOT_APPLICABLE')),
  summary         text,
  -- Changes of the incident itself; a comment, a declared action or a link is none.
  version         integer not null default 1,
  -- Rows of its timeline.
  event_count     integer not null default 0,
  reopen_count    integer not null default 0,
  -- Null for the command line.
  opened_by_id    uuid references users (id),
  opened_by       text not null,
  created_at      timestamptz(3) not null,
  -- First assignment or first move, whichever came first: the end of the time to take it in.
  acknowledged_at timestamptz(3),
  -- The last close; null while it is not closed.
  closed_at       timestamptz(3),
  -- The newest row of its timeline.
  updated_at      timestamptz(3) not null,
  constraint incidents_closed_check check (
    (status = 'CLOSED') = (closed_at is not null) and (closed_at is null) = (summary is null) and (closed_at is null) = (resolution is null)
  )
);
-- Filters of the list, each in its order.
create index incidents_open_index on incidents (id) where status <> 'CLOSED';
create index incidents_status_index on incidents (status, id);
create index incidents_severity_index on incidents (severity, id);
create index incidents_assignee_index on incidents (assignee_id, id);
create index incidents_escalated_index on incidents (level, id) where level <> 'L1';
-- Figures of a period.
create index incidents_created_index on incidents (created_at);
create index incidents_closed_index on incidents (closed_at) where closed_at is not null;

-- What happened to an incident. A writer holds the incident's row, so the numbers are in the order of the commits, without a gap.
create table incident_events (
  incident_id  uuid not null references incidents (id),
  seq          integer not null,
  -- Of the incident after this event: what came behind a version is what whoever holds that version has missed.
  version      integer not null,
  at           timestamptz(3) not null,
  kind         text not null constraint incident_events_kind_check check (kind in (
    'CREATED', 'TITLE_CHANGED', 'SEVERITY_CHANGED', 'STATUS_CHANGED', 'CLOSED', 'REOPENED', 'ASSIGNED', 'ESCALATED',
    'COMMENT', 'ACTION_DECLARED', 'IOC_LINKED', 'IOC_UNLINKED', 'CVE_LINKED', 'CVE_UNLINKED')),
  -- No foreign keys beside the incident's own: the timeline outlives what it speaks of.
  actor_id     uuid,
  actor_name   text not null,
  -- In words: a step, a level, a name, an identifier, a value.
  from_value   text,
  to_value     text,
  indicator_id uuid,
  -- Of a close.
  resolution   text constraint incident_events_resolution_check
               check (resolution in ('TRUE_POSITIVE_IMPACT', 'TRUE_POSITIVE_NO_IMPACT', 'FALSE_POSITIVE', 'DUPLICATE', 'NOT_APPLICABLE')),
  -- Comment, reason, declared action, summary.
  note         text,
  primary key (incident_id, seq)
);
-- Read by the grants and by the type generator.
comment on table incident_events is 'append-only';
create index incident_events_moments_index on incident_events (kind, at) where kind in ('ESCALATED', 'REOPENED', 'CLOSED');
create trigger incident_events_refuse_row_change before update or delete on incident_events for each row execute function refuse_change();
create trigger incident_events_refuse_truncate before truncate on incident_events for each statement execute function refuse_change();
alter table incident_events enable always trigger incident_events_refuse_row_change;
alter table incident_events enable always trigger incident_events_refuse_truncate;

-- What an incident is about. No foreign keys to the other side: those tables are written by the million. A purge of indicators asks here first, and
-- a CVE that was withdrawn stays linked by its name.
create table incident_indicators (
  incident_id  uuid not null references incidents (id),
  indicator_id uuid not null,
  linked_at    timestamptz(3) not null,
  primary key (incident_id, indicator_id)
);
create index incident_indicators_indicator_index on incident_indicators (indicator_id, incident_id);
create table incident_cves (
  incident_id uuid not null references incidents (id),
  cve_id      text collate "C" not null,
  linked_at   timestamptz(3) not null,
  primary key (incident_id, cve_id)
);
create index incident_cves_cve_index on incident_cves (cve_id, incident_id);
-- The alerts that it was opened from.
create table incident_alerts (
  incident_id uuid not null references incidents (id),
  alert_id    uuid not null references alerts (id),
  primary key (incident_id, alert_id)
);
create index incident_alerts_alert_index on incident_alerts (alert_id, incident_id);
