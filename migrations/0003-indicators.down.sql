drop function indicator_standing(uuid, text, timestamptz);
drop view source_sightings;
drop table network_lengths;
drop table indicator_sources;
drop table indicators;
drop function indicator_key(text);
drop table indicator_lifetimes;
drop table reliability_weights;
drop table sources;
