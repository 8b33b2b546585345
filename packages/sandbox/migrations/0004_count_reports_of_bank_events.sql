-- `src/database/sandbox-tables.ts` says what it means.
alter table bank_events add column failures integer not null default 0;
