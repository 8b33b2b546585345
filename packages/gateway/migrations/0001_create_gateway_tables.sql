-- Amounts in centavos, times in epoch milliseconds, truth values as 0 or 1.
-- `src/ledger/database/gateway-tables.ts` says what each column means.

create table merchants (
  id text primary key,
  name text not null,
  secret text not null,
  previous_secret text,
  previous_until bigint,
  enabled integer not null,
  raw_cards integer not null,
  refunds text not null,
  rules text not null,
  refuses_card_references integer not null,
  created_at bigint not null
);

create table store_changes (
  merchant_id text not null,
  position integer not null,
  at bigint not null,
  actor text not null,
  action text not null,
  settings text not null,
  constraint store_changes_pk primary key (merchant_id, position)
);

-- Transactions, refunds, notifications and their attempts will be partitioned by time one day.
-- So each of their unique keys begins with the code, which is ordered by time. What else must be
-- unique stands in the two tables of keys, which stay when a transaction is archived.

create table transaction_keys (
  transaction_code bigint primary key,
  merchant_id text not null,
  reference text not null,
  public_id text not null,
  constraint transaction_keys_reference unique (merchant_id, reference),
  constraint transaction_keys_public_id unique (public_id)
);

create table refund_keys (
  id bigint primary key,
  transaction_code bigint not null
);

create table transactions (
  code bigint primary key,
  merchant_id text not null references merchants (id),
  reference text not null,
  status text not null,
  first_status text,
  open integer not null,
  payment_type text not null,
  sub_type text,
  amount bigint not null,
  charged bigint not null,
  installments integer not null,
  payer_email text not null,
  payer_document text not null,
  description text not null,
  notification_url text not null,
  saved_card text,
  card_bin text,
  card_last_four text,
  public_id text not null,
  payment_details text,
  request text not null,
  created_at bigint not null,
  paid_at bigint,
  expires_at bigint,
  next_ask_at bigint,
  activate_at bigint,
  status_changed_at bigint not null
);
-- What the worker looks for: few rows of a large table.
create index transactions_open on transactions (next_ask_at) where open = 1;
create index transactions_expiring on transactions (expires_at)
  where status = 'PENDING' and expires_at is not null;
create index transactions_activating on transactions (activate_at) where activate_at is not null;
create index transactions_under_review on transactions (status_changed_at, code, open)
  where status = 'UNDER-REVIEW';
-- What a payer has bought lately.
create index transactions_payer_document on transactions (payer_document, created_at);
-- Each date filter of the search, in the order of its results.
create index transactions_created_at on transactions (merchant_id, created_at, code);
create index transactions_paid_at on transactions (merchant_id, paid_at, code);
create index transactions_status_changed_at on transactions (merchant_id, status_changed_at, code);

create table refunds (
  transaction_code bigint not null references transactions (code),
  id bigint not null,
  merchant_id text not null,
  status text not null,
  amount bigint not null,
  reference text,
  notify_url text not null,
  requested_at bigint not null,
  next_ask_at bigint not null,
  asks integer not null,
  processed_at bigint,
  constraint refunds_pk primary key (transaction_code, id)
);
-- At most one refund of a transaction is in process.
create unique index refunds_in_process on refunds (transaction_code) where status = 'PROCESSING';
create index refunds_of_store on refunds (merchant_id, id);

create table blocked_payers (
  payer text primary key,
  by_provider integer not null
);

create table payer_purchases (
  payer_document text not null,
  day integer not null,
  bought bigint not null,
  constraint payer_purchases_pk primary key (payer_document, day)
);
-- What is old enough to be deleted.
create index payer_purchases_day on payer_purchases (day);

create table idempotency_keys (
  merchant_id text not null,
  key text not null,
  fingerprint text not null,
  answer text,
  claimed_at bigint not null,
  created_at bigint not null,
  constraint idempotency_keys_pk primary key (merchant_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

create table notifications (
  transaction_code bigint not null,
  position integer not null,
  merchant_id text not null,
  refund_id bigint,
  status text not null,
  url text not null,
  created_at bigint not null,
  attempts integer not null,
  next_attempt_at bigint not null,
  lease_until bigint,
  acknowledged_at bigint,
  searched_at bigint,
  done_at bigint,
  blocked integer not null,
  constraint notifications_pk primary key (transaction_code, position)
);
-- What is due for one store, what is unfinished, what is being sent, and what there was.
create index notifications_due on notifications (merchant_id, next_attempt_at)
  where done_at is null and blocked = 0;
create index notifications_unfinished on notifications (merchant_id) where done_at is null;
create index notifications_leased on notifications (merchant_id, lease_until)
  where lease_until is not null;
create index notifications_of_store on notifications
  (merchant_id, created_at, transaction_code, position);

create table notification_attempts (
  transaction_code bigint not null,
  position integer not null,
  attempt integer not null,
  at bigint not null,
  status_code integer,
  error text,
  duration_ms integer not null,
  response_excerpt text not null,
  constraint notification_attempts_pk primary key (transaction_code, position, attempt)
);

create table acknowledging_stores (
  merchant_id text primary key
);

create table failing_stores (
  merchant_id text primary key,
  since bigint not null,
  probe_at bigint,
  probes integer not null
);
