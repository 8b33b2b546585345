-- By what an order that is sent again is recognized: see `src/model/transaction/order-fingerprint.ts`.
alter table transactions add column order_fingerprint text;
alter table archived_transactions add column order_fingerprint text;
alter table idempotency_keys add column order_fingerprint text;
