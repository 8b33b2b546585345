-- Charges that are only authorized, and captured or voided later. Times in epoch milliseconds.
-- `src/database/charge-tables.ts` says what each column means.

alter table authorizations add column is_captured_later integer not null default 0;
alter table card_charges add column capture_days integer;
alter table card_charges add column capture_ends_at_ms bigint;
alter table card_charges add column captured_minor bigint;
alter table card_charges add column capture_ended_at_ms bigint;
alter table card_charges add column release_check_at_ms bigint;
create index card_charges_to_release on card_charges (release_check_at_ms)
  where release_check_at_ms is not null;

create table card_captures (
  transaction_code bigint not null,
  environment text not null,
  operation text not null,
  amount_minor bigint not null,
  state text not null,
  attempts integer not null,
  first_attempt_at_ms bigint,
  absent_since_ms bigint,
  next_ask_at_ms bigint,
  operation_id text,
  detail text,
  created_at_ms bigint not null,
  ended_at_ms bigint,
  constraint card_captures_key primary key (transaction_code, environment)
);
create index card_captures_due on card_captures (next_ask_at_ms) where next_ask_at_ms is not null;
