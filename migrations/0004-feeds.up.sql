-- Feeds and their collections. Not breaking.
create table threat_feeds (
  -- The same id as the feed's row in `sources`, which holds its name, type and reliability.
  id                  uuid primary key references sources (id),
  url                 text not null constraint threat_feeds_url_check check (length(url) between 1 and 2048),
  format              text not null constraint threat_feeds_format_check check (format in ('CSV', 'JSON', 'STIX', 'TAXII', 'PULSE')),
  status              text not null default 'PENDING' constraint threat_feeds_status_check check (status in ('PENDING', 'HEALTHY', 'DEGRADED')),
  is_active           boolean not null default true,
  -- Collection interval, seconds.
  frequency           integer not null default 3600 constraint threat_feeds_frequency_check check (frequency between 300 and 604800),
  parser              jsonb not null default '{}',
  tlp                 text not null default 'CLEAR' constraint threat_feeds_tlp_check check (tlp in ('CLEAR', 'GREEN', 'AMBER', 'AMBER+STRICT', 'RED')),
  licence             text,
  homepage            text,
  last_successful_run timestamptz(3),
  last_error          text,
  -- A provider asked for peace (429): no attempt before this moment.
  postponed_until     timestamptz(3),
  -- What the next conditional request sends, and the digest of the last body that was taken in completely.
  etag                text,
  last_modified       text,
  body_digest         text,
  -- Fencing: the run that may write. A collector that lost its lock finds another id here and stops.
  collecting_run      uuid,
  version             integer not null default 1,
  created_at          timestamptz(3) not null,
  updated_at          timestamptz(3) not null
);

create table collection_runs (
  id                uuid primary key,
  feed_id           uuid not null references threat_feeds (id) on delete cascade,
  started_at        timestamptz(3) not null,
  duration_ms       integer,
  outcome           text not null constraint collection_runs_outcome_check
                    check (outcome in ('RUNNING', 'SUCCEEDED', 'UNCHANGED', 'PARTIAL', 'POSTPONED', 'FAILED', 'INTERRUPTED')),
  row_count         integer not null default 0,
  new_count         integer not null default 0,
  updated_count     integer not null default 0,
  gone_count        integer not null default 0,
  rejected_count    integer not null default 0,
  unsupported_count integer not null default 0,
  -- How many were refused for which reason: {code: count}.
  rejected_by_code  jsonb not null default '{}',
  error             text,
  warning           text,
  -- At most 100 examples: [{line, value, code, reason}].
  rejections        jsonb not null default '[]'
);
create index collection_runs_feed_index on collection_runs (feed_id, id);
create index collection_runs_started_index on collection_runs (started_at);
