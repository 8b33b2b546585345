-- Which pages may show a store's card fields, and what the vault has been told of it.
-- `src/ledger/database/gateway-tables.ts` says what each column means.
alter table merchants add column field_origins text not null default '[]';
alter table merchants add column shows_bin integer not null default 0;

-- None of a store that never had an origin.
create table field_announcements (
  merchant_id text primary key references merchants (id),
  revision bigint not null,
  waiting_since bigint,
  next_told_at bigint not null
);
create index field_announcements_due on field_announcements (next_told_at);
