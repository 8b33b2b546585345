-- What a store has sent as `metadata`, as JSON; null without any. A transaction's is in its request.
alter table refunds add column metadata text;
alter table archived_refunds add column metadata text;
alter table payment_links add column metadata text;
