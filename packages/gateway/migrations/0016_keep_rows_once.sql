-- On SQLite only: a row stood in its table and once more in the index of its key, and each write
-- wrote both. Now the table is in the order of its key, as one tree. The indexes are there before
-- the rows, which come in about their order: to sort all rows at once would take memory for them.

-- Without rowid on SQLite: see above.
create table transaction_keys_once (
  transaction_code bigint primary key,
  merchant_id text not null,
  reference text not null,
  public_id text not null,
  constraint transaction_keys_reference unique (merchant_id, reference),
  constraint transaction_keys_public_id unique (public_id)
);
insert into transaction_keys_once select * from transaction_keys;
drop table transaction_keys;
alter table transaction_keys_once rename to transaction_keys;

-- Without rowid on SQLite: see above.
create table payer_purchases_once (
  payer_document text not null,
  day integer not null,
  bought bigint not null,
  constraint payer_purchases_pk primary key (payer_document, day)
);
drop index payer_purchases_day;
create index payer_purchases_day on payer_purchases_once (day);
insert into payer_purchases_once select * from payer_purchases;
drop table payer_purchases;
alter table payer_purchases_once rename to payer_purchases;

-- Without rowid on SQLite: see above.
create table notifications_once (
  transaction_code bigint not null,
  position integer not null,
  merchant_id text not null,
  refund_id bigint,
  status text not null,
  url text not null,
  created_at bigint not null,
  attempts integer not null,
  next_attempt_at bigint not null,
  lease_until bigint,
  acknowledged_at bigint,
  searched_at bigint,
  done_at bigint,
  blocked integer not null,
  constraint notifications_pk primary key (transaction_code, position)
);
drop index notifications_leased;
create index notifications_leased on notifications_once (merchant_id, lease_until)
  where lease_until is not null;
drop index notifications_of_store;
create index notifications_of_store on notifications_once
  (merchant_id, created_at, transaction_code, position);
drop index notifications_unfinished;
create index notifications_unfinished on notifications_once (merchant_id, blocked, next_attempt_at)
  where done_at is null;
insert into notifications_once select * from notifications;
drop table notifications;
alter table notifications_once rename to notifications;
