-- Alone: releases up to 0.2 read a store's secret from its own row.

-- The secrets of stores: keys that sign requests, and those that sign notifications alone.
create table store_keys (
  merchant_id text not null references merchants (id),
  id text not null,
  name text not null,
  scopes text not null,
  secret text not null,
  previous_secret text,
  previous_until bigint,
  created_at bigint not null,
  used_at bigint,
  ends_at bigint,
  constraint store_keys_pk primary key (merchant_id, id)
);

-- The secret of each store becomes its first key, with every scope.
insert into store_keys
  (merchant_id, id, name, scopes, secret, previous_secret, previous_until, created_at)
select id, 'first', '', '["pay","refund","read","configure"]', secret, previous_secret, previous_until,
  created_at
from merchants;

alter table merchants drop column secret;
alter table merchants drop column previous_secret;
alter table merchants drop column previous_until;
