-- Sessions and their refresh tokens. Not breaking, but access tokens of before name no session: everybody logs in once more.
create table sessions (
  id             uuid primary key,
  user_id        uuid not null references users (id),
  created_at     timestamptz(3) not null,
  last_used_at   timestamptz(3) not null,
  -- The end of its present refresh token; moves with each renewal, never beyond the longest life of a session.
  expires_at     timestamptz(3) not null,
  revoked_at     timestamptz(3),
  revoked_reason text constraint sessions_revoked_reason_check
    check (revoked_reason in ('logout', 'replaced', 'ended_by_user', 'revoked', 'reuse_detected', 'password_reset', 'password_changed', 'account_disabled')),
  client_ip      inet,
  user_agent     text constraint sessions_user_agent_check check (length(user_agent) <= 200),
  constraint sessions_revoked_check check ((revoked_at is null) = (revoked_reason is null))
);
create index sessions_user_index on sessions (user_id, id);
create index sessions_end_index on sessions (coalesce(revoked_at, expires_at));

-- Every token of a session, used ones too: one that comes a second time has been stolen. Only digests are kept.
create table refresh_tokens (
  digest     bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  issued_at  timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at    timestamptz(3)
);
create index refresh_tokens_session_index on refresh_tokens (session_id);
