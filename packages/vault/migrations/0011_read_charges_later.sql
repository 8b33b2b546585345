-- How far the approved charges of an account were read again, or looked for among its notices, so
-- many days after their approval.
create table card_readings (
  account_id text not null,
  step_days integer not null,
  read_to_ms bigint not null,
  read_to_code bigint not null,
  tries integer not null,
  next_at_ms bigint not null,
  constraint card_readings_key primary key (account_id, step_days)
);
create index card_readings_due on card_readings (next_at_ms);
create index card_charges_approved on card_charges (account_id, ended_at_ms, transaction_code)
  where state = 'approved';
alter table card_looks add column is_later integer not null default 0;

-- Approved charges of which no notice has come.
create table unheard_charges (
  transaction_code bigint not null,
  environment text not null,
  account_id text not null,
  charged_at_ms bigint not null,
  constraint unheard_charges_key primary key (transaction_code, environment)
);

-- Of which days files of payouts were imported without a gap, as gateways say.
create table covered_accounts (
  account_id text primary key,
  from_ms bigint not null,
  until_ms bigint not null,
  told_at_ms bigint not null
);
