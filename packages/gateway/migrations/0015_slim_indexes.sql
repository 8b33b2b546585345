-- Each order was entered among those without a payment date, and taken out again.
drop index transactions_paid_at;
create index transactions_paid_at on transactions (merchant_id, paid_at, code)
  where paid_at is not null;

-- One index for what is due and for all that is unfinished.
drop index notifications_due;
drop index notifications_unfinished;
create index notifications_unfinished on notifications (merchant_id, blocked, next_attempt_at)
  where done_at is null;
