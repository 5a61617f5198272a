-- Where the collection of a cursor feed stands. Not breaking.
--
-- A cursor feed says "this is new since", so the place where its reading stopped is written in the same transaction as the values before it.
create table collector_state (
  -- `taxii:<feed id>`, `pulse:<feed id>`.
  entry      text primary key,
  feed_id    uuid not null references threat_feeds (id) on delete cascade,
  -- The address that the cursor belongs to: one of another address would skip what was never read.
  url        text not null,
  cursor     jsonb not null,
  updated_at timestamptz(3) not null
);
create index collector_state_feed_index on collector_state (feed_id);
