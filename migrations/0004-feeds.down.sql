drop table collection_runs;
drop table threat_feeds;
