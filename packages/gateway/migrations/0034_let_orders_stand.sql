-- 1 where a search has decided that an order stands before its request was answered: see
-- `mayBeWithdrawn` of `src/model/transaction/transaction.ts`.
alter table transactions add column stands integer;
alter table archived_transactions add column stands integer;
