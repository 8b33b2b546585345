-- The example payments of `cofre dev` are marked: 1 in `example`, of which nobody is notified. A set
-- of them belongs to a store of the sandbox: made up to `position` of its payments, all dated before
-- `until_ms`, until its `state` is 'made' or 'removed'.
alter table transactions add column example integer;
alter table archived_transactions add column example integer;

create table example_sets (
  merchant_id text primary key,
  until_ms bigint not null,
  position integer not null,
  state text not null
);
