-- Keys of the console's people, sealed: what the log of acts names by a digest.
create table people_keys (
  name text primary key,
  sealed text not null
);
