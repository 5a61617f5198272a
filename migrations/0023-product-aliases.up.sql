-- Names that an organisation uses for a product where CPE uses another, beside those that the product ships. Not breaking.
create table product_aliases (
  id         uuid primary key,
  -- CPE's names, and the name in use; in lower case, blanks once.
  vendor     text collate "C" not null,
  product    text collate "C" not null,
  name       text collate "C" not null,
  created_at timestamptz(3) not null,
  created_by text not null,
  constraint product_aliases_name_unique unique (vendor, product, name)
);
