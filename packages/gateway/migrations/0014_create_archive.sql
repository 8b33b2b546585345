-- The archive: ended transactions of long ago, with all that belongs to them. Each table has the
-- columns of the one that it is named after, in their order. `src/ledger/database/archive.ts` says
-- which those are: a migration that adds a column to one adds it to the other.

create table archived_transactions (
  code bigint not null,
  merchant_id text not null,
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
  status_changed_at bigint not null,
  constraint archived_transactions_pk primary key (code)
);

create table archived_refunds (
  transaction_code bigint not null,
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
  provider_refund_id text,
  charged bigint,
  not_before bigint,
  constraint archived_refunds_pk primary key (transaction_code, id)
);

create table archived_notifications (
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
  constraint archived_notifications_pk primary key (transaction_code, position)
);

create table archived_notification_attempts (
  transaction_code bigint not null,
  position integer not null,
  attempt integer not null,
  at bigint not null,
  status_code integer,
  error text,
  duration_ms integer not null,
  response_excerpt text not null,
  constraint archived_notification_attempts_pk primary key (transaction_code, position, attempt)
);

create table archived_pix_charges (
  transaction_code bigint not null,
  account_id text not null,
  txid text not null,
  state text not null,
  opened_at bigint,
  bank_expires_at bigint,
  next_look_at bigint,
  looks integer not null,
  looked_at bigint,
  lease_until bigint,
  unanswered_since bigint,
  removing_since bigint,
  method text not null default 'pix',
  asked_at bigint,
  due_date text,
  bank_id text,
  our_number text,
  issued_at bigint,
  reason text,
  constraint archived_pix_charges_pk primary key (transaction_code)
);

create table archived_pix_payments (
  transaction_code bigint not null,
  end_to_end_id text not null,
  account_id text not null,
  amount bigint not null,
  paid_at bigint,
  found_at bigint not null,
  purpose text not null,
  refund_status text,
  refunded_at bigint,
  next_ask_at bigint,
  asks integer not null,
  bank_refunds text not null,
  way text not null default 'pix',
  constraint archived_pix_payments_pk primary key (transaction_code, end_to_end_id)
);

create table archived_card_changes (
  transaction_code bigint not null,
  id text not null,
  kind text not null,
  at bigint not null,
  amount bigint,
  detail text,
  constraint archived_card_changes_pk primary key (transaction_code, id)
);

create table archived_refund_notes (
  refund_id bigint,
  transaction_code bigint not null,
  merchant_id text not null,
  actor text not null,
  reason text not null,
  note text not null,
  constraint archived_refund_notes_pk primary key (transaction_code, refund_id)
);

create table archived_payment_facts (
  code bigint not null,
  merchant_id text not null,
  terms text not null,
  figures text not null,
  constraint archived_payment_facts_pk primary key (code)
);

-- Without rowid on SQLite: as the table they come from.
create table archived_payment_terms (
  merchant_id text not null,
  kind text not null,
  term text not null,
  code bigint not null,
  constraint archived_payment_terms_pk primary key (merchant_id, kind, term, code)
);

-- On PostgreSQL only: they are split by the time in their codes, so that a year can be kept
-- elsewhere or dropped as a whole. `cofre archive` makes the parts.
do $$ declare archive record; begin
  for archive in select * from (values
    ('archived_transactions', 'code'),
    ('archived_refunds', 'transaction_code'),
    ('archived_notifications', 'transaction_code'),
    ('archived_notification_attempts', 'transaction_code'),
    ('archived_pix_charges', 'transaction_code'),
    ('archived_pix_payments', 'transaction_code'),
    ('archived_card_changes', 'transaction_code'),
    ('archived_refund_notes', 'transaction_code'),
    ('archived_payment_facts', 'code'),
    ('archived_payment_terms', 'code')) as of(name, key)
  loop
    execute format('alter table %I rename to whole', archive.name); --
    execute format('create table %I (like whole including all) partition by range (%I)',
      archive.name, archive.key); --
    drop table whole; --
  end loop; --
end $$;

-- Each date filter of the search, in the order of its results; and a payer's orders.
create index archived_created_at on archived_transactions (merchant_id, created_at, code);
create index archived_paid_at on archived_transactions (merchant_id, paid_at, code);
create index archived_status_changed_at
  on archived_transactions (merchant_id, status_changed_at, code);
create index archived_payer_document on archived_transactions (payer_document, created_at);
-- What acquirers took back, and what is no order's, the last first; a PIX by its own name.
create index archived_disputes on archived_card_changes (at)
  where kind in ('capture_failed', 'dispute_announced', 'charged_back', 'chargeback_reversed');
create index archived_surplus on archived_pix_payments (found_at) where purpose <> 'order';
create index archived_end_to_end on archived_pix_payments (end_to_end_id);
create index archived_our_number on archived_pix_charges (account_id, our_number)
  where our_number is not null;
