-- What goes back of charges, and what acquirers report of them by themselves. Times in epoch
-- milliseconds. `src/database/vault-tables.ts` says what each column means.

create table card_returns (
  transaction_code bigint not null,
  environment text not null,
  name text not null,
  origin text not null,
  amount_minor bigint not null,
  reference text,
  state text not null,
  attempts integer not null,
  first_attempt_at_ms bigint,
  absent_since_ms bigint,
  returned_before_minor bigint,
  next_ask_at_ms bigint,
  not_before_ms bigint,
  return_id text,
  detail text,
  created_at_ms bigint not null,
  ended_at_ms bigint,
  constraint card_returns_key primary key (name, environment)
);
create index card_returns_of_charge on card_returns (transaction_code, environment);
create index card_returns_due on card_returns (next_ask_at_ms) where next_ask_at_ms is not null;
-- Those that have not ended, which are few.
create index card_returns_open on card_returns (created_at_ms) where ended_at_ms is null;

create table card_events (
  account_id text not null,
  id text not null,
  transaction_code bigint not null,
  environment text not null,
  change text not null,
  reference text not null,
  payment_id text,
  return_id text,
  amount_minor bigint not null,
  at_ms bigint not null,
  detail text,
  decline text,
  received_at_ms bigint not null,
  try_at_ms bigint,
  applied_at_ms bigint,
  constraint card_events_key primary key (account_id, id)
);
create index card_events_of_charge on card_events (transaction_code, environment);
create index card_events_due on card_events (try_at_ms) where try_at_ms is not null;
create index card_events_received on card_events (received_at_ms);

create table card_looks (
  transaction_code bigint not null,
  environment text not null,
  look_at_ms bigint not null,
  constraint card_looks_key primary key (transaction_code, environment)
);
create index card_looks_due on card_looks (look_at_ms);
-- Finds the charge that a hint names.
create index card_charges_payment on card_charges (payment_id) where payment_id is not null;

create table card_changes (
  id text primary key,
  transaction_code bigint not null,
  environment text not null,
  change text not null,
  at_ms bigint not null,
  detail text,
  created_at_ms bigint not null,
  lease_until_ms bigint not null,
  acknowledged_at_ms bigint
);
create index card_changes_of_charge on card_changes (transaction_code, environment);
create index card_changes_open on card_changes (environment, created_at_ms)
  where acknowledged_at_ms is null;
create index card_changes_acknowledged on card_changes (acknowledged_at_ms)
  where acknowledged_at_ms is not null;
