-- CVEs, who they hit, and what they are worth. Not breaking.
--
-- KEV entries and EPSS scores stand in tables of their own, since they may name a CVE before it is known, and change without it.

-- Points of a CVE, 0 to 100. The same figures as the pure rule that shows them one by one, and the same steps in double precision, so that both
-- agree in every digit. floor(x + 0.5), because round() of a double goes to the even neighbour.
create function cve_score(
  cvss double precision, probability double precision, percentile double precision, kev boolean, ransomware boolean, exploit boolean
) returns int language sql immutable parallel safe as $$
  select least(
    case when probability is null then 75 else 100 end,
    coalesce(floor(4 * cvss + 0.5), 0)
      + coalesce(floor(20 * sqrt(probability) + 0.5), 0)
      + coalesce(floor(10 * greatest(0, (percentile - 0.8::double precision) / 0.2::double precision) + 0.5), 0)
      + case when kev then 20 else 0 end
      + case when kev and ransomware then 5 else 0 end
      + case when exploit then 10 else 0 end
  )::int
$$;

-- P0 from 80, P1 from 60, P2 from 40; an entry of KEV is at least P1.
create function cve_priority(score int, kev boolean) returns text language sql immutable parallel safe as $$
  select case when score >= 80 then 'P0' when score >= 60 or kev then 'P1' when score >= 40 then 'P2' else 'P3' end
$$;

-- The words of a text for its index: lower case, letters and digits, each once. A word without an end is none: an index entry has a limit.
create function search_words(given text) returns tsvector language sql immutable strict parallel safe as $$
  select array_to_tsvector(array_remove(regexp_split_to_array(regexp_replace(lower(given), '[[:alnum:]]{200,}', ' ', 'g'), '[^[:alnum:]]+'), ''))
$$;

create table cves (
  id             text collate "C" primary key constraint cves_id_check check (id ~ '^CVE-[0-9]{4}-[0-9]{4,19}$'),
  -- As NVD words it: Analyzed, Deferred, Awaiting Analysis; words of its own are kept.
  status         text not null,
  published      timestamptz(3) not null,
  last_modified  timestamptz(3) not null,
  description    text not null,
  tags           text[] not null,
  cwes           text[] not null,
  cvss           double precision constraint cves_cvss_range check (cvss between 0 and 10),
  cvss_version   text,
  cvss_vector    text,
  cvss_source    text,
  ssvc           jsonb,
  exploit        boolean not null,
  -- [{url, tags}], each address once.
  reference_list jsonb not null,
  -- What NVD and the CVE's author say is vulnerable, as the verdict reads it.
  configurations jsonb not null,
  affected       jsonb not null,
  -- Fingerprint of everything above but the moments: a record that was only stamped anew costs no write.
  digest         text not null,
  score          integer not null constraint cves_score_range check (score between 0 and 100),
  priority       text not null constraint cves_priority_check check (priority in ('P0', 'P1', 'P2', 'P3'))
);
-- The list, most urgent first, of all and of one priority.
create index cves_score_index on cves (score, id);
create index cves_priority_index on cves (priority, score, id);
create index cves_words_index on cves using gin (search_words(description));

-- Each product that CVEs name, with the keys that names in use are found by.
create table cve_products (
  id      integer primary key generated always as identity,
  vendor  text collate "C" not null,
  product text collate "C" not null,
  keys    text[] not null
);
create unique index cve_products_name_unique on cve_products (vendor, product);
create index cve_products_keys_index on cve_products using gin (keys);

-- Which CVE names which product as vulnerable; the versions stand in the CVE itself. No foreign key to it: both are written together, by the million.
create table cve_affected (
  product_id integer not null references cve_products (id),
  cve_id     text collate "C" not null,
  primary key (product_id, cve_id)
);
create index cve_affected_cve_index on cve_affected (cve_id);

-- CISA's catalogue of known exploited vulnerabilities. Days as it gives them.
create table kev_entries (
  cve_id          text collate "C" primary key,
  vendor_project  text not null,
  product         text not null,
  name            text not null,
  date_added      text not null,
  due_date        text,
  required_action text not null,
  ransomware      boolean not null
);

-- EPSS of the day in cve_sources. A CVE without a row has no score, which is not 0.
create table epss_scores (
  cve_id      text collate "C" primary key,
  probability double precision not null constraint epss_scores_probability_range check (probability between 0 and 1),
  percentile  double precision not null constraint epss_scores_percentile_range check (percentile between 0 and 1)
) with (fillfactor = 70);

-- What is held of each source.
create table cve_sources (
  source     text primary key constraint cve_sources_source_check check (source in ('NVD', 'KEV', 'EPSS')),
  -- Of KEV the catalogue's number, of EPSS the model.
  version    text,
  -- The day that the data speaks of.
  data_day   text,
  updated_at timestamptz(3) not null
);

-- Each change of a priority, with its reasons.
create table cve_priority_history (
  id           bigint primary key generated always as identity,
  cve_id       text collate "C" not null,
  at           timestamptz(3) not null,
  old_priority text not null constraint cve_priority_history_old_check check (old_priority in ('P0', 'P1', 'P2', 'P3')),
  new_priority text not null constraint cve_priority_history_new_check check (new_priority in ('P0', 'P1', 'P2', 'P3')),
  old_score    integer not null,
  new_score    integer not null,
  -- cvss, epss, exploit, kev_added, kev_removed, ransomware, rescore, epss_model:<version>; `+floor_kev` when KEV decides the priority.
  reason       text not null
);
create index cve_priority_history_cve_index on cve_priority_history (cve_id, id);
