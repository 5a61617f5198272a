drop index audit_events_outcome_index;
drop index audit_events_request_index;
drop index audit_events_actor_index;
drop trigger audit_events_chain on audit_events;
drop function chain_audit_event();
drop function audit_event_hash(bytea, audit_events);
alter table audit_events drop column lane, drop column seq, drop column hash;
