-- Seals each row of the journal with a hash over the row before it and itself, so that a change made behind the triggers shows. Not breaking.
alter table audit_events add column lane integer, add column seq bigint, add column hash bytea;
-- Read by the type generator and by `svc db check`.
comment on column audit_events.lane is 'filled by a trigger';
comment on column audit_events.seq is 'filled by a trigger';
comment on column audit_events.hash is 'filled by a trigger';

-- Every column but the hash itself. `svc audit verify` does not call this: it has an expression of its own.
create function audit_event_hash(previous bytea, event audit_events) returns bytea language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    event.lane, event.seq, event.id, (extract(epoch from event.at) * 1000)::bigint, event.action, event.outcome, event.actor_id, event.actor_name,
    event.target_type, event.target_id, event.target_name, event.client_ip::text, event.request_id, event.details)::text, 'UTF8'))
$$;

-- A lane is a chain of its own. A writer takes the first that no open transaction holds, so writers never wait for each other and a chain never forks;
-- with one writer at a time there is lane 0 alone. The lock ends after the commit is visible, so its next holder sees this row.
create function chain_audit_event() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  -- Any number that no other advisory lock of two parts uses.
  lock_class constant integer := 20206;
  head record;
begin
  new.lane := 0;
  while not pg_try_advisory_xact_lock(lock_class, new.lane) loop
    new.lane := new.lane + 1;
  end loop;
  select seq, hash into head from public.audit_events where lane = new.lane order by seq desc limit 1;
  new.seq := coalesce(head.seq, 0) + 1;
  new.hash := public.audit_event_hash(coalesce(head.hash, ''), new);
  return new;
end
$$;

alter table audit_events disable trigger audit_events_refuse_row_change;
do $$
declare
  event audit_events;
  position bigint := 0;
  previous bytea := '';
begin
  for event in select * from audit_events order by id loop
    position := position + 1;
    event.lane := 0;
    event.seq := position;
    previous := audit_event_hash(previous, event);
    update audit_events set lane = 0, seq = position, hash = previous where id = event.id;
  end loop;
end
$$;
alter table audit_events enable always trigger audit_events_refuse_row_change;

alter table audit_events
  alter column lane set not null, alter column seq set not null, alter column hash set not null,
  add constraint audit_events_lane_seq_unique unique (lane, seq);
create trigger audit_events_chain before insert on audit_events for each row execute function chain_audit_event();
alter table audit_events enable always trigger audit_events_chain;

-- Filters of the list; what succeeded is most of the table and needs no index.
create index audit_events_actor_index on audit_events (lower(actor_name), id);
create index audit_events_request_index on audit_events (request_id, id) where request_id is not null;
create index audit_events_outcome_index on audit_events (outcome, id) where outcome <> 'SUCCESS';
