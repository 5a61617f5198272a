drop trigger indicators_mark_excluded on indicators;
drop function mark_excluded();
drop function exclusions_covering(text, text);
drop function is_excluded(timestamptz, timestamptz);
drop index indicators_excluded_index;
alter table indicators drop column excluded_until;
drop table exclusion_lengths;
drop table exclusions;
