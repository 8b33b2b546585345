-- Against the testing of stolen cards: what acquirers have declined, for 30 days.

create table card_declines (
  fingerprint text not null,
  declined_at_ms bigint not null,
  transaction_code bigint not null,
  is_final integer not null,
  constraint card_declines_key primary key (fingerprint, declined_at_ms, transaction_code)
);
create index card_declines_declined_at_ms on card_declines (declined_at_ms);
