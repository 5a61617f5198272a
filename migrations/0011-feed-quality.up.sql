-- What each feed is worth, worked out by a job over all of them. Not breaking.

-- The last computation; one row.
create table quality_reports (
  id           integer primary key constraint quality_reports_single check (id = 1),
  -- Set while a computation is under way; one that was killed leaves it behind, so it counts for a while only.
  started_at   timestamptz(3),
  computed_at  timestamptz(3),
  duration_ms  integer,
  -- Values on the lists of all feeds then, and a fingerprint of the feeds and warning lists: how much has changed since is seen by them.
  listed       bigint not null default 0,
  inputs       text not null default ''
);
insert into quality_reports (id) values (1);

create table feed_quality (
  feed_id           uuid primary key references threat_feeds (id) on delete cascade,
  -- Values that the feed holds, and those of them that no other source holds.
  held              integer not null,
  unique_count      integer not null,
  -- Values that it and another source brought while both were being collected, those that it brought first, and the median lead, in seconds;
  -- negative when it comes later.
  compared_count    integer not null,
  first_count       integer not null,
  lead_seconds      double precision,
  -- Rows of the runs that read a list, and how many of them were refused.
  row_count         bigint not null,
  rejected_count    bigint not null,
  -- Complete runs, and values that came onto the list or left it in them.
  run_count         integer not null,
  changed_count     bigint not null,
  -- Values that stand on a warning list.
  warned_count      integer not null
);

-- How many values two feeds both hold; each pair stands twice, so that one feed's rows are found by its id.
create table feed_overlaps (
  feed_id      uuid not null references threat_feeds (id) on delete cascade,
  other_id     uuid not null references threat_feeds (id) on delete cascade,
  shared_count integer not null,
  primary key (feed_id, other_id)
);
create index feed_overlaps_other_index on feed_overlaps (other_id);

-- How many values of a feed stand on a warning list, with some of them.
create table feed_warnings (
  feed_id    uuid not null references threat_feeds (id) on delete cascade,
  list_id    uuid not null references warning_lists (id) on delete cascade,
  hit_count  integer not null,
  -- [{indicator_id, type, value}], at most 5.
  examples   jsonb not null,
  primary key (feed_id, list_id)
);
create index feed_warnings_list_index on feed_warnings (list_id);
