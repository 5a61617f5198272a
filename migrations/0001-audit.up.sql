-- The journal of every action. Not breaking.
-- Append-only for everyone: the application role gets SELECT and INSERT, and triggers refuse the rest even to the owner.
create table audit_events (
  id          uuid primary key,
  at          timestamptz(3) not null,
  action      text not null,
  outcome     text not null constraint audit_events_outcome_check check (outcome in ('SUCCESS', 'FAILURE', 'DENIED')),
  -- No foreign keys: a cascade would be a way to rewrite the journal, and the journal outlives what it speaks of.
  actor_id    uuid,
  actor_name  text not null,
  target_type text,
  target_id   text,
  target_name text,
  client_ip   inet,
  request_id  text,
  details     jsonb not null default '{}'
);
-- Read by the grants and by the type generator.
comment on table audit_events is 'append-only';
create index audit_events_action_index on audit_events (action text_pattern_ops, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_events_refuse_row_change before update or delete on audit_events for each row execute function refuse_change();
create trigger audit_events_refuse_truncate before truncate on audit_events for each statement execute function refuse_change();
alter table audit_events enable always trigger audit_events_refuse_row_change;
alter table audit_events enable always trigger audit_events_refuse_truncate;
