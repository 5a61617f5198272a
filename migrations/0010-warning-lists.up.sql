-- Lists of values that are likely to be harmless, in the format of MISP. Not breaking.
create table warning_lists (
  id             uuid primary key,
  name           text not null constraint warning_lists_name_check check (length(name) between 1 and 200),
  description    text,
  type           text not null constraint warning_lists_type_check check (type in ('CIDR', 'HOSTNAME', 'STRING', 'SUBSTRING', 'REGEX')),
  -- As its publisher numbers it.
  list_version   bigint,
  -- Kinds of indicators that the list speaks of.
  applies_to     text[] not null,
  entry_count    integer not null,
  -- Entries that cannot be held: [{code, count, reason, example}].
  skipped        jsonb not null default '[]',
  -- SHA-256 of what was imported: the same list again changes nothing.
  digest         text not null,
  -- Imports that changed the list.
  revision       integer not null default 1,
  imported_at    timestamptz(3) not null
);
create unique index warning_lists_name_unique on warning_lists (lower(name));

-- What each list names. No foreign key: rows are written and removed only in the transaction that writes their list, by the million.
create table warning_list_entries (
  list_id uuid not null,
  -- How the entry is compared: EXACT with the value, HOST with a host or one above it, BELOW only with one above it, NETWORK with an address
  -- or range inside it, SUBSTRING and PATTERN with any part of the value.
  kind    text collate "C" not null
          constraint warning_list_entries_kind_check check (kind in ('EXACT', 'HOST', 'BELOW', 'NETWORK', 'SUBSTRING', 'PATTERN')),
  -- In its normal form.
  entry   text collate "C" not null constraint warning_list_entries_entry_check check (octet_length(entry) between 1 and 1000),
  -- Of a NETWORK: the same range, to compare with.
  network inet,
  primary key (entry, kind, list_id)
);
create index warning_list_entries_network_index on warning_list_entries (network) where network is not null;
create index warning_list_entries_list_index on warning_list_entries (list_id, network);

-- Prefix lengths that the listed ranges use, so that an address is looked up by a handful of equalities.
create table warning_list_lengths (
  list_id uuid not null,
  family  integer not null constraint warning_list_lengths_family_check check (family in (4, 6)),
  length  integer not null,
  primary key (list_id, family, length)
);

-- The host that a value names: a DOMAIN itself, or what a URL in its normal form points at (IPv6 in its brackets); null for everything else.
create function host_of(type text, value text) returns text language sql immutable strict parallel safe as $$
  select case type when 'DOMAIN' then value when 'URL' then substring(value from '^[a-z]+://(?:[^/?]*@)?(\[[^]/?]*\]|[^/?:]*)') end
$$;

-- The address that a value is or that its URL points at, or the range that it is; null for everything else.
create function address_of(type text, value text) returns inet language sql immutable strict parallel safe as $$
  select case
    when type in ('IPV4', 'IPV6', 'NETWORK') then value::inet
    when type = 'URL' and host_of(type, value) ~ '^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$' then trim(both '[]' from host_of(type, value))::inet
  end
$$;
