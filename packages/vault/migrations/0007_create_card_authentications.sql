-- Charges that wait for their payer to be authenticated by the card's bank (3-D Secure).

create table card_authentications (
  transaction_code bigint not null,
  environment text not null,
  sealed_action text,
  sealed_result text,
  results integer not null,
  first_attempt_at_ms bigint,
  expires_at_ms bigint not null,
  next_ask_at_ms bigint,
  fingerprint text,
  constraint card_authentications_key primary key (transaction_code, environment)
);
-- Those that wait, which are few.
create index card_authentications_waiting on card_authentications (next_ask_at_ms)
  where next_ask_at_ms is not null;
