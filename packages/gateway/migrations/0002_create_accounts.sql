-- Contracts of stores with providers. Times in epoch milliseconds.
-- `packages/accounts/src/account-tables.ts` says what each column means.

create table accounts (
  id text primary key,
  environment text not null,
  merchant_id text not null references merchants (id),
  provider text not null,
  kind text not null,
  label text not null,
  settings text not null,
  sealed text not null,
  certificate_until bigint,
  tested_at bigint,
  test_failure text,
  disabled_at bigint,
  created_at bigint not null
);

-- Which account is asked first, by store and payment method.
create table account_routes (
  environment text not null,
  merchant_id text not null references merchants (id),
  method text not null,
  brand text not null,
  from_installments integer not null,
  position integer not null,
  account_id text not null references accounts (id),
  routes_declines integer not null,
  constraint account_routes_pk
    primary key (environment, merchant_id, method, brand, from_installments, position)
);
