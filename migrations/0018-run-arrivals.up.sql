-- What came from the publisher, for the story of a run. Null where nothing was fetched, and for runs before this. Not breaking.
alter table collection_runs
  -- As sent, and unpacked. Whole numbers, over all pages: a double holds them exactly, and reads as a number.
  add column fetched_bytes double precision,
  add column decoded_bytes double precision,
  -- How the one became the other and then text, in order: {gzip, zip, windows-1252}.
  add column decoding text[];
