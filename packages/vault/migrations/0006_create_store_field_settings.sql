-- Which pages may show the card fields of a store, as its gateways have told.

create table store_field_settings (
  store_id text not null,
  environment text not null,
  revision bigint not null,
  origins text not null,
  shows_bin integer not null,
  constraint store_field_settings_pk primary key (store_id, environment)
);
