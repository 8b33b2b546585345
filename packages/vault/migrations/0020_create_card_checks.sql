-- Cards that were checked without a charge, for a week: a check is committed before its acquirer is
-- asked. Payers and addresses are keyed digests.
create table card_checks (
  token_digest text not null,
  environment text not null,
  code bigint not null,
  merchant_id text not null,
  payer text not null,
  document text not null,
  address text not null,
  outcome text not null,
  brand text not null,
  bin text not null,
  last_four text not null,
  decline text,
  saved_card_code text,
  created_at_ms bigint not null,
  primary key (token_digest, environment)
);
-- What counts of a payer and of an address.
create index card_checks_of_payer on card_checks (payer, created_at_ms);
create index card_checks_of_document on card_checks (document, created_at_ms);
create index card_checks_of_address on card_checks (address, created_at_ms);
-- A check's code is its acquirer's idempotency key.
create unique index card_checks_named on card_checks (code, environment);
create index card_checks_at on card_checks (created_at_ms);
