alter table collection_runs drop column fetched_bytes, drop column decoded_bytes, drop column decoding;
