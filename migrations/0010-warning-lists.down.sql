drop function address_of(text, text);
drop function host_of(text, text);
drop table warning_list_lengths;
drop table warning_list_entries;
drop table warning_lists;
