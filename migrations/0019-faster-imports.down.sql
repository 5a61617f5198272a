alter table cve_affected add constraint cve_affected_product_id_fkey foreign key (product_id) references cve_products (id);
alter table cves
  drop column text_digest,
  alter column reference_list type jsonb using reference_list::jsonb,
  alter column configurations type jsonb using configurations::jsonb,
  alter column affected type jsonb using affected::jsonb;
