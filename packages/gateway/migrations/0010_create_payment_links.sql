-- Payment links and the tries at them. Amounts in centavos, times in epoch milliseconds, truth
-- values as 0 or 1. `src/ledger/database/link-tables.ts` says what each column means.

create table payment_links (
  id text primary key,
  merchant_id text not null references merchants (id),
  reference text not null,
  amount bigint not null,
  description text not null,
  methods text not null,
  usage text not null,
  installments integer not null,
  language text not null,
  success_url text,
  notification_url text not null,
  created_by text not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  revoked_by text,
  constraint payment_links_reference unique (merchant_id, reference)
);
create index payment_links_of_store on payment_links (merchant_id, created_at, id);
create index payment_links_revoked on payment_links (merchant_id, revoked_at, id)
  where revoked_at is not null;

create table payment_link_tries (
  id text primary key,
  link_id text not null references payment_links (id),
  number integer not null,
  form_id text not null,
  method text not null,
  reference text not null,
  transaction_code bigint,
  open integer not null,
  held_link text,
  address text,
  created_at bigint not null,
  next_look_at bigint not null,
  constraint payment_link_tries_number unique (link_id, number),
  constraint payment_link_tries_form unique (link_id, form_id),
  -- Of a link that is used once, one try at most is open.
  constraint payment_link_tries_held unique (held_link)
);
create index payment_link_tries_of_transaction on payment_link_tries (transaction_code)
  where transaction_code is not null;
-- What the limits count, what the worker looks at, and what is old enough to be forgotten.
create index payment_link_tries_of_address on payment_link_tries (link_id, address, created_at)
  where address is not null;
create index payment_link_tries_open on payment_link_tries (next_look_at) where open = 1;
create index payment_link_tries_forgotten on payment_link_tries (created_at)
  where address is not null and open = 0;
