-- Events of stores and the endpoints that receive them: packages/events.
create table events (
  merchant_id text not null,
  subject text not null,
  position integer not null,
  type text not null,
  data text not null,
  created_at bigint not null,
  next_attempt_at bigint not null,
  waiting integer not null,
  constraint events_pk primary key (merchant_id, subject, position)
);
create index events_of_store on events (merchant_id, created_at);
create index events_waiting on events (subject, position) where waiting = 1;

create table event_endpoints (
  code text primary key,
  merchant_id text not null,
  url text not null,
  types text,
  secret text not null,
  previous_secret text,
  previous_until bigint,
  enabled integer not null,
  created_at bigint not null,
  accepts integer not null,
  failing_since bigint,
  probe_at bigint
);
create index event_endpoints_of_store on event_endpoints (merchant_id);

create table event_deliveries (
  endpoint_code text not null,
  subject text not null,
  position integer not null,
  attempts integer not null,
  next_attempt_at bigint not null,
  lease_until bigint,
  attempted_at bigint,
  status_code integer,
  error text,
  done_at bigint,
  constraint event_deliveries_pk primary key (endpoint_code, subject, position)
);
create index event_deliveries_due on event_deliveries (endpoint_code, next_attempt_at)
  where done_at is null;
create index event_deliveries_leased on event_deliveries (endpoint_code)
  where lease_until is not null;
