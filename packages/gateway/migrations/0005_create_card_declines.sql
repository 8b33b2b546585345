-- Limits against card testing. `src/ledger/database/gateway-tables.ts` says what each column means.

create table card_declines (
  transaction_code bigint primary key,
  merchant_id text not null,
  declined_at bigint not null,
  payer_document text not null,
  address text,
  bin text
);
-- What counts of a payer, an address, and a store's BINs; and what is old enough to be deleted.
create index card_declines_of_payer on card_declines (merchant_id, payer_document, declined_at);
create index card_declines_of_address on card_declines (merchant_id, address, declined_at);
create index card_declines_of_store on card_declines (merchant_id, declined_at, bin);
create index card_declines_at on card_declines (declined_at);

alter table merchants add column payer_declines integer;
alter table merchants add column address_declines integer;
alter table merchants add column bin_declines integer;
