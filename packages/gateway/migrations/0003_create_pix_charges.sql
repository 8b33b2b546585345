-- PIX at the banks of accounts. Amounts in centavos, times in epoch milliseconds.
-- `src/ledger/database/pix-tables.ts` says what each column means.

create table pix_charges (
  transaction_code bigint primary key,
  account_id text not null references accounts (id),
  txid text not null,
  state text not null,
  opened_at bigint,
  bank_expires_at bigint,
  next_look_at bigint,
  looks integer not null,
  looked_at bigint,
  lease_until bigint,
  unanswered_since bigint,
  removing_since bigint
);
-- What the workers look for: few rows of a large table.
create index pix_charges_looked_for on pix_charges (next_look_at) where next_look_at is not null;
create index pix_charges_live on pix_charges (account_id) where state = 'live';
create index pix_charges_removing on pix_charges (account_id) where state = 'removing';

-- What a notice or a list of payments names. It stays when a transaction is archived.
create table pix_txids (
  txid text primary key,
  transaction_code bigint not null,
  account_id text not null
);

create table pix_payments (
  transaction_code bigint not null,
  end_to_end_id text not null,
  account_id text not null,
  amount bigint not null,
  paid_at bigint,
  found_at bigint not null,
  purpose text not null,
  refund_status text,
  refunded_at bigint,
  next_ask_at bigint,
  asks integer not null,
  bank_refunds text not null,
  constraint pix_payments_pk primary key (transaction_code, end_to_end_id)
);
create index pix_payments_to_refund on pix_payments (next_ask_at) where next_ask_at is not null;
create index pix_payments_surplus on pix_payments (found_at) where purpose <> 'order';

create table pix_sweeps (
  account_id text not null references accounts (id),
  kind text not null,
  swept_until bigint not null,
  next_sweep_at bigint not null,
  next_page integer,
  from_at bigint,
  to_at bigint,
  lease_until bigint,
  unanswered_since bigint,
  constraint pix_sweeps_pk primary key (account_id, kind)
);

-- A refund that the provider began has the provider's name of it. The store asks for one at a time.
alter table refunds add column provider_refund_id text;
drop index refunds_in_process;
create unique index refunds_in_process on refunds (transaction_code, coalesce(provider_refund_id, ''))
  where status = 'PROCESSING';

-- What becomes of money that is no order's.
alter table merchants add column surplus text;
