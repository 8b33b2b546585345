-- `src/database/sandbox-tables.ts` says what each column means.

create table test_clock (
  id integer primary key,
  offset_ms bigint not null
);

create table requests (
  store_id text not null,
  id bigint not null,
  at bigint not null,
  method text not null,
  target text not null,
  status_code integer not null,
  duration_ms integer not null,
  transaction_code text,
  request_body text,
  response_body text not null,
  error_codes text not null,
  constraint requests_pk primary key (store_id, id)
);
create index requests_of_transaction on requests (store_id, transaction_code, id);

create table request_milestones (
  store_id text not null,
  step text not null,
  at bigint not null,
  constraint request_milestones_pk primary key (store_id, step)
);

create table inboxes (
  store_id text primary key,
  address text not null unique,
  answer integer not null
);

create table inbox_items (
  store_id text not null,
  id bigint not null,
  at bigint not null,
  headers text not null,
  body text not null,
  status_code integer not null,
  constraint inbox_items_pk primary key (store_id, id)
);

create table settlement_modes (
  store_id text not null,
  method text not null,
  kind text not null,
  seconds integer,
  constraint settlement_modes_pk primary key (store_id, method)
);

create table bank_events (
  subject text not null,
  subject_id bigint not null,
  outcome text not null,
  due_at bigint not null,
  lease_until bigint,
  constraint bank_events_pk primary key (subject, subject_id)
);
create index bank_events_due on bank_events (due_at);
