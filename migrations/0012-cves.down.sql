drop table cve_priority_history, cve_sources, epss_scores, kev_entries, cve_affected, cve_products, cves;
drop function search_words(text);
drop function cve_priority(int, boolean);
drop function cve_score(double precision, double precision, double precision, boolean, boolean, boolean);
