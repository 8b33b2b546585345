-- Where a notification goes, and of which kind it is: see `src/model/notification/lane.ts`. Null of
-- those that release 0.2 has written, until a worker meets them.
alter table notifications add column lane text;
alter table archived_notifications add column lane text;
create index notifications_by_lane on notifications
  (lane, (case when attempts = 0 then 0 else 1 end), next_attempt_at)
  where done_at is null and blocked = 0;
create index notifications_without_lane on notifications (transaction_code)
  where done_at is null and lane is null;

-- In place of `failing_stores`, whose rows are taken over lane by lane.
create table failing_lanes (
  lane text primary key,
  merchant_id text not null,
  since bigint not null,
  probe_at bigint,
  probes integer not null
);
create index failing_lanes_of_store on failing_lanes (merchant_id);
