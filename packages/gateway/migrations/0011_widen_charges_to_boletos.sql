-- Boletos at the banks of accounts, beside PIX. `src/ledger/database/bank-tables.ts` says what each
-- column means, and why the tables are still called as they are.

alter table pix_charges add column method text not null default 'pix';
alter table pix_charges add column asked_at bigint;
alter table pix_charges add column due_date text;
alter table pix_charges add column bank_id text;
alter table pix_charges add column our_number text;
alter table pix_charges add column issued_at bigint;
alter table pix_charges add column reason text;
-- Banks name boletos so in their files.
create index pix_charges_our_number on pix_charges (account_id, our_number)
  where our_number is not null;
drop index pix_charges_live;
create index pix_charges_live on pix_charges (account_id, method) where state = 'live';

alter table pix_payments add column way text not null default 'pix';
