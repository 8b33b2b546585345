-- Signatures by RFC 9421. `src/ledger/database/gateway-tables.ts` says what each column means.

create table request_nonces (
  merchant_id text not null,
  nonce text not null,
  request_id text not null,
  until bigint not null,
  constraint request_nonces_pk primary key (merchant_id, nonce)
);
create index request_nonces_until on request_nonces (until);

alter table merchants add column signature text;
alter table merchants add column specification_signed_at bigint;
