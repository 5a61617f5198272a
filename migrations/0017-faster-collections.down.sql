create or replace function address_of(type text, value text) returns inet language sql immutable strict parallel safe as $$
  select case
    when type in ('IPV4', 'IPV6', 'NETWORK') then value::inet
    when type = 'URL' and host_of(type, value) ~ '^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$' then trim(both '[]' from host_of(type, value))::inet
  end
$$;
create or replace function host_of(type text, value text) returns text language sql immutable strict parallel safe as $$
  select case type when 'DOMAIN' then value when 'URL' then substring(value from '^[a-z]+://(?:[^/?]*@)?(\[[^]/?]*\]|[^/?:]*)') end
$$;
create or replace function severity_rank(severity text) returns int language sql immutable strict parallel safe as $$
  select array_position(array['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'], severity)
$$;
create or replace function indicator_key(value text) returns text language sql immutable strict parallel safe as $$
  select case when length(value) <= 512 then value else left(value, 440) || md5(value) || md5(reverse(value)) end
$$;
alter table indicator_sources reset (fillfactor);
