drop table product_aliases;
