-- Every card number, CVV, expiry and private key is inside a sealed text.
-- `src/vault-tables.ts` says what each column means.

create table data_keys (
  id text primary key,
  scope text not null unique,
  wrapped_key text not null,
  created_at_ms bigint not null,
  wrapped_at_ms bigint not null
);

create table sessions (
  id text primary key,
  sealed_private_key text not null,
  expires_at_ms bigint not null
);
-- On PostgreSQL only: private keys, even wrapped, must reach neither its log nor its replicas.
alter table sessions set unlogged;
create index sessions_expires_at_ms on sessions (expires_at_ms);

create table direct_tokens (
  digest text primary key,
  sealed_card text,
  expires_at_ms bigint not null
);
create index direct_tokens_expires_at_ms on direct_tokens (expires_at_ms);

-- Authorizations and the audit log will be partitioned by time one day. So each of their unique keys
-- begins with what is ordered by time: the transaction's code as a number, and the entry's id.

create table authorizations (
  transaction_code bigint not null,
  environment text not null,
  merchant_id text not null,
  amount_minor bigint not null,
  installments integer not null,
  outcome text not null,
  brand text not null,
  bin text not null,
  last_four text not null,
  sealed_card text,
  save_for_payer text,
  saved_card_code text,
  saved_card_expiration text,
  saved_card_created_at_ms bigint,
  created_at_ms bigint not null,
  constraint authorizations_key primary key (transaction_code, environment)
);
-- Finds the data keys that are still needed without reading every authorization there ever was.
create index authorizations_open on authorizations (created_at_ms) where sealed_card is not null;

create table saved_cards (
  code text primary key,
  environment text not null,
  merchant_id text not null,
  payer text not null,
  fingerprint text not null unique,
  sealed_card text not null,
  activated_at_ms bigint,
  created_at_ms bigint not null
);

create table audit_log (
  id text primary key,
  at_ms bigint not null,
  actor text not null,
  action text not null,
  environment text,
  merchant_id text,
  record text not null,
  outcome text not null,
  position bigint,
  mac text
);
-- Finds the entries that wait for their place, in order, and those that have one.
create index audit_log_position on audit_log (position, id);

create table audit_head (
  position bigint not null,
  mac text not null
);
insert into audit_head (position, mac) values (0, '');
