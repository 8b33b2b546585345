-- Rightly signed notices of merchant accounts that no account here has, by where they arrived.
create table foreign_notices (
  account_id text not null,
  name text not null,
  notices bigint not null,
  first_at_ms bigint not null,
  last_at_ms bigint not null,
  warned_at_ms bigint not null,
  constraint foreign_notices_pk primary key (account_id, name)
);
