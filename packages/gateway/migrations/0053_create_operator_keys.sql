-- Keys of operators for the API of stores, by their public halves, in production's database.
create table operator_keys (
  id text not null,
  name text not null,
  public_key text not null,
  scopes text not null,
  addresses text not null,
  created_at bigint not null,
  used_at bigint,
  ends_at bigint,
  constraint operator_keys_pk primary key (id)
);
