-- Cards that are authorized first: how far a payment is captured, as JSON; null for all others.
alter table transactions add column capture text;
alter table archived_transactions add column capture text;

-- Authorized payments, each until it is captured or released, and the order that ends it.
create table captures (
  transaction_code bigint not null,
  merchant_id text not null,
  operation text,
  amount bigint,
  charged bigint,
  ordered_by text,
  ordered_at bigint,
  due_at bigint not null,
  next_ask_at bigint,
  asks integer not null,
  constraint captures_pk primary key (transaction_code)
);
create index captures_uncaptured on captures (due_at) where operation is null;
create index captures_of_store on captures (merchant_id, due_at, transaction_code);
create index captures_to_ask on captures (next_ask_at) where next_ask_at is not null;

-- What happens to a store's payments that are not captured in time; null: they are voided.
alter table merchants add column uncaptured text;
