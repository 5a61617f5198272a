-- Indicators and who reports them. Not breaking.
--
-- A feed publishes a whole list each time, so a repeated list is stored as nothing at all: `listed_from` says since which complete run
-- a value has stood on the list, and everything that a re-sight changes is worked out at read time from the source's `run_no` and `run_at`.

-- Who reports: a feed, or the analysts' own submissions. Outlives its feed, so that a removed feed's values keep saying where they came from.
create table sources (
  id          uuid primary key,
  kind        text not null constraint sources_kind_check check (kind in ('FEED', 'ANALYST')),
  name        text not null,
  feed_type   text not null default 'other',
  reliability text not null default 'C' constraint sources_reliability_check check (reliability in ('A', 'B', 'C', 'D', 'E', 'F')),
  -- Complete runs so far, the end of the last one, and how many values stood on its list.
  run_no      integer not null default 0,
  run_at      timestamptz(3),
  listed      integer not null default 0,
  retired_at  timestamptz(3)
);
create unique index sources_name_unique on sources (lower(name)) where retired_at is null;
insert into sources (id, kind, name, reliability) values ('00000000-0000-7000-8000-000000000001', 'ANALYST', 'Analyst submissions', 'B');

-- Weight of one reporting source, 0 to 1.
create table reliability_weights (
  reliability text primary key,
  weight      double precision not null constraint reliability_weights_weight_check check (weight > 0 and weight < 1)
);
insert into reliability_weights values ('A', 0.90), ('B', 0.75), ('C', 0.50), ('D', 0.25), ('E', 0.10), ('F', 0.30);

comment on table reliability_weights is 'migrations-only';

-- How long a kind of indicator stays fresh. A change here applies at once to what is stored.
create table indicator_lifetimes (
  type           text not null,
  phishing       boolean not null,
  half_life_days double precision not null constraint indicator_lifetimes_half_life_check check (half_life_days > 0),
  ttl_days       integer not null constraint indicator_lifetimes_ttl_check check (ttl_days > 0),
  primary key (type, phishing)
);
insert into indicator_lifetimes (type, phishing, half_life_days, ttl_days) values
  ('URL', false, 10, 30), ('IPV4', false, 14, 45), ('IPV6', false, 14, 45), ('NETWORK', false, 30, 90),
  ('DOMAIN', false, 45, 180), ('EMAIL', false, 60, 180), ('HASH', false, 240, 365),
  ('URL', true, 3, 14), ('IPV4', true, 14, 45), ('IPV6', true, 14, 45), ('NETWORK', true, 30, 90),
  ('DOMAIN', true, 3, 14), ('EMAIL', true, 60, 180), ('HASH', true, 240, 365);

comment on table indicator_lifetimes is 'migrations-only';

-- What a unique index can hold of a value: B-tree entries end at 2,704 bytes, URLs at 4,096 characters.
-- Two digests, because one alone can be made to collide on purpose.
create function indicator_key(value text) returns text language sql immutable strict parallel safe as $$
  select case when length(value) <= 512 then value else left(value, 440) || md5(value) || md5(reverse(value)) end
$$;

create function severity_rank(severity text) returns int language sql immutable strict parallel safe as $$
  select array_position(array['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'], severity)
$$;

create table indicators (
  id         uuid primary key,
  type       text collate "C" not null
             constraint indicators_type_check check (type in ('IPV4', 'IPV6', 'NETWORK', 'DOMAIN', 'URL', 'HASH', 'EMAIL')),
  value      text collate "C" not null constraint indicators_value_check check (length(value) between 1 and 4096),
  severity   text not null constraint indicators_severity_check check (severity in ('INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  first_seen timestamptz(3) not null,
  -- Set by the daily job so that a walk over the active ones can pass the others by; the read check stays the truth.
  expired_at timestamptz(3)
);
create unique index indicators_type_value_unique on indicators (type, indicator_key(value));
create index indicators_type_index on indicators (type, id);

-- One row per source and indicator. No foreign keys: they would double the cost of a first collection, and neither side is ever deleted alone.
create table indicator_sources (
  source_id           uuid not null,
  indicator_id        uuid not null,
  first_seen          timestamptz(3) not null,
  -- The complete run since which the value stands on the list without a gap; null when it is not on the list now.
  listed_from         integer,
  -- When a sighting was last written: the start of the present listing, the end of a past one, or an analyst's submission.
  last_listed_at      timestamptz(3) not null,
  -- Sightings of listings that have ended.
  hits                integer not null default 0,
  -- Two hashes of the value with different seeds, 128 bits: a list is compared with what its source listed by these alone, without
  -- touching the indicators. One of 64 bits could meet another by chance; MD5 costs more than the whole comparison.
  hash_a              bigint not null,
  hash_b              bigint not null,
  -- Fingerprint of what the source says about the value; null when it says nothing.
  digest              bigint,
  severity            text,
  tags                text[],
  description         text,
  reported_first_seen timestamptz(3),
  reported_last_seen  timestamptz(3),
  primary key (source_id, indicator_id)
);
create index indicator_sources_indicator_index on indicator_sources (indicator_id);

-- Prefix lengths that stored ranges use, so that an address is looked up by a handful of equalities.
create table network_lengths (
  family integer not null constraint network_lengths_family_check check (family in (4, 6)),
  length integer not null,
  primary key (family, length)
);

-- What each source's sightings of an indicator amount to now.
create view source_sightings as
  select
    link.indicator_id,
    link.source_id,
    source.kind,
    source.name,
    source.reliability,
    source.feed_type,
    weights.weight,
    link.first_seen,
    case when link.listed_from <= source.run_no then greatest(source.run_at, link.last_listed_at) else link.last_listed_at end as last_seen,
    greatest(1, link.hits + case when link.listed_from is null then 0 else source.run_no - link.listed_from + 1 end) as hits,
    link.listed_from is not null as listed,
    link.severity,
    link.tags,
    link.description,
    link.reported_first_seen,
    link.reported_last_seen
  from indicator_sources link
  join sources source on source.id = link.source_id
  join reliability_weights weights on weights.reliability = source.reliability;

-- The one implementation of hit count, expiry and confidence. Lists, filters, details and jobs all ask here.
-- Points: sources 0 to 60, freshness 0 to 30, recurrence 0 to 10; rounded once, at the end.
create function indicator_standing(of_id uuid, of_type text, as_of timestamptz)
returns table (
  source_count int, hit_count int, last_seen timestamptz, expires_at timestamptz,
  source_points double precision, freshness_points double precision, recurrence_points double precision, confidence int
) language sql stable as $$
  select
    parts.source_count, parts.hit_count, parts.last_seen, parts.expires_at, parts.source_points, parts.freshness_points, parts.recurrence_points,
    floor(parts.source_points + parts.freshness_points + parts.recurrence_points + 0.5)::int
  from (
    select
      count(*)::int as source_count,
      sum(seen.hits)::int as hit_count,
      max(seen.last_seen) as last_seen,
      max(seen.last_seen + make_interval(days => life.ttl_days)) as expires_at,
      60 * (1 - exp(sum(ln(1 - seen.weight)))) as source_points,
      max(30 * power(0.5, greatest(0, extract(epoch from as_of - seen.last_seen)) / 86400 / life.half_life_days)) as freshness_points,
      least(10, 2 * ln(greatest(1, sum(seen.hits))) / ln(2)) as recurrence_points
    from source_sightings seen
    join indicator_lifetimes life on life.type = of_type and life.phishing = (seen.feed_type = 'phishing')
    where seen.indicator_id = of_id
  ) parts
$$;
