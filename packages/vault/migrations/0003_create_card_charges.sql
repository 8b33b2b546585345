-- What the acquirers of accounts are asked for. Times in epoch milliseconds.
-- `src/database/vault-tables.ts` says what each column means.

alter table authorizations add column knows_charges integer not null default 0;
alter table authorizations add column decline text;

-- Without rowid on SQLite: a row is written once, not in a table and an index.
create table card_charges (
  transaction_code bigint not null,
  environment text not null,
  installation text not null,
  account_id text not null,
  provider text not null,
  state text not null,
  first_attempt_at_ms bigint not null,
  absent_since_ms bigint,
  lease_until_ms bigint not null,
  next_ask_at_ms bigint not null,
  payment_id text,
  nsu text,
  authorization_code text,
  sent_eci text,
  eci text,
  network_transaction_id text,
  ended_at_ms bigint,
  constraint card_charges_key primary key (transaction_code, environment)
);
-- Those whose outcome is not known, which are few.
create index card_charges_open on card_charges (first_attempt_at_ms) where ended_at_ms is null;

create table card_cancels (
  transaction_code bigint not null,
  environment text not null,
  payment_id text not null,
  account_id text not null,
  state text not null,
  attempts integer not null,
  first_attempt_at_ms bigint,
  absent_since_ms bigint,
  lease_until_ms bigint not null,
  next_ask_at_ms bigint not null,
  return_id text,
  detail text,
  created_at_ms bigint not null,
  ended_at_ms bigint,
  constraint card_cancels_key primary key (transaction_code, environment, payment_id)
);
create index card_cancels_open on card_cancels (next_ask_at_ms) where ended_at_ms is null;
