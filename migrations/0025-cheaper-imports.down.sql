alter table cves add column text_digest text;
alter table cves reset (toast_tuple_target);
alter table cves drop constraint cves_id_check, add constraint cves_id_check check (id ~ '^CVE-[0-9]{4}-[0-9]{4,19}$');
