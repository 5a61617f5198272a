-- Alerts about CVEs, and the messages that a webhook gets of them. Not breaking.

create table alerts (
  -- UUIDv7: the list is in the order of its ids.
  id                 uuid primary key,
  cve_id             text collate "C" not null,
  -- Which crossing of the threshold: a CVE may cross it again after it has fallen well below.
  generation         integer not null,
  priority           text not null constraint alerts_priority_check check (priority in ('P0', 'P1', 'P2', 'P3')),
  score              integer not null constraint alerts_score_range check (score between 0 and 100),
  -- One line for a reader.
  title              text not null,
  created_at         timestamptz(3) not null,
  -- NONE: there was no webhook when it was raised.
  notification       text not null constraint alerts_notification_check check (notification in ('NONE', 'PENDING', 'DELIVERED', 'FAILED')),
  -- Attempts of the present delivery, those under way included, and when the next one is due.
  attempts           integer not null default 0,
  next_attempt_at    timestamptz(3),
  acknowledged_at    timestamptz(3),
  -- Null for the command line, and for the service itself when a CVE is withdrawn.
  acknowledged_by_id uuid,
  acknowledged_by    text,
  constraint alerts_crossing_unique unique (cve_id, generation)
);
-- One open alert a CVE.
create unique index alerts_open_unique on alerts (cve_id) where acknowledged_at is null;
create index alerts_open_index on alerts (id) where acknowledged_at is null;
create index alerts_due_index on alerts (next_attempt_at) where notification = 'PENDING';

-- Each attempt to tell the webhook. A row is written before the attempt: one without an end was cut short.
create table alert_deliveries (
  id          uuid primary key,
  alert_id    uuid not null references alerts (id) on delete cascade,
  -- From 1; a replay begins again.
  attempt     integer not null,
  started_at  timestamptz(3) not null,
  ended_at    timestamptz(3),
  outcome     text not null constraint alert_deliveries_outcome_check check (outcome in ('UNDER_WAY', 'DELIVERED', 'FAILED')),
  status      integer,
  -- Why it failed, for a person; never the address or anything of the answer.
  reason      text
);
create index alert_deliveries_alert_index on alert_deliveries (alert_id, id);
