create table transaction_keys (code bigint primary key, merchant_id text not null,
  reference text not null, unique (merchant_id, reference));
create table transactions (code bigint primary key, merchant_id text not null,
  reference text not null, status text not null, amount bigint not null,
  payer_document text not null, notification_url text not null, brand text, bin text,
  last_four text, request text not null, created_at bigint not null,
  next_ask_at bigint, paid_at bigint);
create index open_transactions on transactions (next_ask_at) where next_ask_at is not null;
create table notifications (transaction_code bigint primary key, url text not null,
  status text not null, next_attempt_at bigint, done_at bigint);
create index due_notifications on notifications (next_attempt_at) where done_at is null;
