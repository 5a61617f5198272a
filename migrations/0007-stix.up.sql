-- What STIX says beyond a value: how long it is valid, and objects of kinds that are not held here. Not breaking.

-- The source's own end of validity; null when it states none.
alter table indicator_sources add column valid_until timestamptz(3);

-- How many objects or rows of a kind that is not held: {kind: count}.
alter table collection_runs add column unsupported_by_kind jsonb not null default '{}';

create or replace view source_sightings as
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
    link.reported_last_seen,
    link.valid_until
  from indicator_sources link
  join sources source on source.id = link.source_id
  join reliability_weights weights on weights.reliability = source.reliability;

-- The one implementation of hit count, expiry and confidence. Lists, filters, details and jobs all ask here.
-- Points: sources 0 to 60, freshness 0 to 30, recurrence 0 to 10; rounded once, at the end.
-- For each source the lifetime of the type or the source's own end of validity, whichever is earlier; the last of them ends the indicator.
create or replace function indicator_standing(of_id uuid, of_type text, as_of timestamptz)
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
      max(least(seen.last_seen + make_interval(days => life.ttl_days), seen.valid_until)) as expires_at,
      60 * (1 - exp(sum(ln(1 - seen.weight)))) as source_points,
      max(30 * power(0.5, greatest(0, extract(epoch from as_of - seen.last_seen)) / 86400 / life.half_life_days)) as freshness_points,
      least(10, 2 * ln(greatest(1, sum(seen.hits))) / ln(2)) as recurrence_points
    from source_sightings seen
    join indicator_lifetimes life on life.type = of_type and life.phishing = (seen.feed_type = 'phishing')
    where seen.indicator_id = of_id
  ) parts
$$;
