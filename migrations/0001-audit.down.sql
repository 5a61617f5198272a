drop table audit_events;
drop function refuse_change();
