-- People who may log in. Not breaking.
create table users (
  id            uuid primary key,
  username      text not null constraint users_username_check check (length(username) between 1 and 64),
  email         text,
  password_hash text not null,
  role          text not null constraint users_role_check check (role in ('ADMIN', 'ANALYST', 'VIEWER')),
  status        text not null default 'ACTIVE' constraint users_status_check check (status in ('ACTIVE', 'DISABLED')),
  version       integer not null default 1,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  last_login_at timestamptz(3)
);
create unique index users_username_unique on users (lower(username));
