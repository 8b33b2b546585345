-- The console: who works in it, what they did, and what finds, counts and reconciles payments.
-- Amounts in centavos, times in epoch milliseconds, days since 1970 in Brasília, truth values as 0
-- or 1. What each column means: `packages/people/src/people-tables.ts` for people and acts,
-- `src/ledger/database/` in `console-`, `search-`, `figures-` and `settlement-tables.ts`.

create table people (
  id text primary key,
  email text not null,
  name text not null,
  enabled integer not null,
  password text,
  totp text,
  totp_step bigint,
  credentials_at bigint not null,
  created_at bigint not null,
  disabled_at bigint,
  constraint people_email unique (email)
);

create table memberships (
  merchant_id text not null references merchants (id),
  person_id text not null references people (id),
  role text not null,
  created_at bigint not null,
  constraint memberships_pk primary key (merchant_id, person_id)
);
create index memberships_of_person on memberships (person_id);

create table passkeys (
  id text primary key,
  person_id text not null references people (id),
  public_key text not null,
  counter bigint not null,
  transports text not null,
  label text not null,
  backed_up integer not null,
  created_at bigint not null,
  used_at bigint
);
create index passkeys_of_person on passkeys (person_id);

create table recovery_codes (
  person_id text not null references people (id),
  code_hash text not null,
  used_at bigint,
  constraint recovery_codes_pk primary key (person_id, code_hash)
);

create table console_sessions (
  id_hash text primary key,
  first_id_hash text not null,
  person_id text references people (id),
  merchant_id text,
  secret_mark text,
  created_at bigint not null,
  used_at bigint not null,
  expires_at bigint not null,
  stepped_up_at bigint,
  address text not null,
  browser text not null
);
create index console_sessions_first on console_sessions (first_id_hash);
create index console_sessions_of_person on console_sessions (person_id);
create index console_sessions_expiring on console_sessions (expires_at);

create table sign_in_failures (
  key text primary key,
  failures integer not null,
  first_at bigint not null,
  last_at bigint not null
);
create index sign_in_failures_last on sign_in_failures (last_at);

-- In the sandbox, a store's id stands for the person's.
create table known_browsers (
  person_id text not null,
  visit_hash text not null,
  used_at bigint not null,
  constraint known_browsers_pk primary key (person_id, visit_hash)
);
create index known_browsers_used on known_browsers (used_at);

create table console_challenges (
  nonce_hash text primary key,
  expires_at bigint not null
);
create index console_challenges_expiring on console_challenges (expires_at);

create table console_links (
  token_hash text primary key,
  purpose text not null,
  email text,
  person_id text,
  merchant_id text,
  role text,
  created_by text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index console_links_of_store on console_links (merchant_id, created_at);
create index console_links_expiring on console_links (expires_at);

-- Added to, and never changed or deleted. Of acts in either environment: the store may be one of
-- the sandbox alone.
create table acts (
  id bigint primary key,
  environment text not null,
  merchant_id text,
  actor text not null,
  action text not null,
  target text,
  of_act bigint,
  outcome text not null,
  detail text not null,
  at bigint not null,
  address text not null,
  browser text not null
);
create index acts_of_store on acts (merchant_id, id);
create index acts_of_actor on acts (actor, id);
create index acts_on_target on acts (merchant_id, target, id);

create table refund_notes (
  refund_id bigint primary key,
  transaction_code bigint not null,
  merchant_id text not null,
  actor text not null,
  reason text not null,
  note text not null
);
create index refund_notes_of_transaction on refund_notes (transaction_code);

create table store_blocked_payers (
  merchant_id text not null references merchants (id),
  payer text not null,
  actor text not null,
  at bigint not null,
  constraint store_blocked_payers_pk primary key (merchant_id, payer)
);

-- What finds a payment, in the order of its results.
-- Without rowid on SQLite: each term would be written twice.
create table payment_terms (
  merchant_id text not null,
  kind text not null,
  term text not null,
  code bigint not null,
  constraint payment_terms_pk primary key (merchant_id, kind, term, code)
);

create table payment_facts (
  code bigint primary key,
  merchant_id text not null,
  terms text not null,
  figures text not null
);

create table daily_figures (
  merchant_id text not null,
  figure text not null,
  day integer not null,
  method text not null,
  detail text not null,
  account_id text not null,
  count bigint not null,
  amount bigint not null,
  constraint daily_figures_pk
    primary key (merchant_id, figure, day, method, detail, account_id)
);

create table index_progress (
  name text primary key,
  position bigint not null
);
insert into index_progress (name, position) values ('new', 0), ('changes', 0), ('again', 0);

create table index_requests (
  code bigint primary key,
  next_at bigint not null
);
create index index_requests_due on index_requests (next_at);

create table settlement_files (
  id bigint primary key,
  merchant_id text not null references merchants (id),
  format text not null,
  account_id text,
  name text not null,
  content text,
  bytes bigint not null,
  state text not null,
  problem text,
  lines integer not null,
  compared_to integer not null,
  from_day integer,
  to_day integer,
  actor text not null,
  uploaded_at bigint not null,
  taken_at bigint,
  constraint settlement_files_content unique (merchant_id, content)
);
create index settlement_files_of_store on settlement_files (merchant_id, id);
-- What the workers look for.
create index settlement_files_unfinished on settlement_files (id)
  where state in ('reading', 'comparing', 'removing');

create table settlement_lines (
  file_id bigint not null references settlement_files (id),
  line integer not null,
  merchant_id text not null,
  kind text not null,
  named_code bigint,
  reference text,
  acquirer_id text,
  nsu text,
  authorization_code text,
  end_to_end_id text,
  installment integer,
  installments integer,
  brand text,
  day integer not null,
  gross bigint not null,
  fee bigint not null,
  net bigint not null,
  fingerprint text not null,
  result text not null,
  difference text,
  expected bigint,
  transaction_code bigint,
  constraint settlement_lines_pk primary key (file_id, line)
);
create index settlement_lines_of_file on settlement_lines (file_id, result, line);
create index settlement_lines_of_payment on settlement_lines (merchant_id, transaction_code)
  where transaction_code is not null;
create index settlement_lines_alike on settlement_lines (merchant_id, fingerprint);
create index settlement_lines_by_result on settlement_lines (merchant_id, result, day, file_id, line);
create index settlement_lines_by_day on settlement_lines (merchant_id, day, file_id, line);

-- What the compared lines of a file add up to.
create table settlement_days (
  merchant_id text not null,
  day integer not null,
  file_id bigint not null references settlement_files (id),
  result text not null,
  lines integer not null,
  gross bigint not null,
  fee bigint not null,
  net bigint not null,
  constraint settlement_days_pk primary key (merchant_id, day, file_id, result)
);
create index settlement_days_of_file on settlement_days (file_id);

-- A payment by the name that the PIX system gave it; and those of an account by day. That one is of
-- a part of the table, so that no question about the accounts of all payments reads it whole.
create index pix_payments_end_to_end on pix_payments (end_to_end_id);
create index pix_payments_of_account on pix_payments (account_id, paid_at)
  where paid_at is not null;
