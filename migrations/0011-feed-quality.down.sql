drop table feed_warnings;
drop table feed_overlaps;
drop table feed_quality;
drop table quality_reports;
