-- Cards at the acquirers of accounts. Amounts in centavos, times in epoch milliseconds.
-- `src/ledger/database/gateway-tables.ts` says what each column means.

create table card_changes (
  transaction_code bigint not null,
  id text not null,
  kind text not null,
  at bigint not null,
  amount bigint,
  detail text,
  constraint card_changes_pk primary key (transaction_code, id)
);
-- What took money back, or may.
create index card_changes_disputes on card_changes (at)
  where kind in ('capture_failed', 'dispute_announced', 'charged_back', 'chargeback_reversed');

alter table refunds add column charged bigint;
alter table refunds add column not_before bigint;
