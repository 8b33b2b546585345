-- A delivery behind another one of its payment is not found until that one has ended; one that was
-- refused comes behind those that were not tried yet.
alter table event_deliveries add column blocked integer not null default 0;
alter table event_deliveries add column repeated integer not null default 0;
update event_deliveries set repeated = 1 where done_at is null and attempts > 0;
update event_deliveries set blocked = 1 where done_at is null and exists (
  select 1 from event_deliveries as earlier
  where earlier.endpoint_code = event_deliveries.endpoint_code
    and earlier.subject = event_deliveries.subject
    and earlier.position < event_deliveries.position and earlier.done_at is null);
drop index event_deliveries_due;
create index event_deliveries_due on event_deliveries
  (endpoint_code, blocked, repeated, next_attempt_at) where done_at is null;
create index event_deliveries_done on event_deliveries (endpoint_code, done_at)
  where done_at is not null;

-- The last attempt that an endpoint did not accept, for people.
alter table event_endpoints add column refused_at bigint;
alter table event_endpoints add column refused_status integer;
alter table event_endpoints add column refused_error text;
