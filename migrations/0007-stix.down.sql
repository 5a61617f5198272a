drop function indicator_standing(uuid, text, timestamptz);
drop view source_sightings;
alter table indicator_sources drop column valid_until;
alter table collection_runs drop column unsupported_by_kind;

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
