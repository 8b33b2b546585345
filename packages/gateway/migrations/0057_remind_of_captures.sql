-- Authorized payments: their store is reminded once before its rule acts.
alter table captures add column remind_at bigint;
create index captures_to_remind on captures (remind_at)
  where operation is null and remind_at is not null;
