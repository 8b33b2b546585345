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

alter table refunds add column charged bigint;
