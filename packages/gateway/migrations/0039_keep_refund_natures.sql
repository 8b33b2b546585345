-- Why a bank gave money of a PIX back by itself (MED), where it says so; what a shop is told of it.
alter table refunds add column nature text;
alter table archived_refunds add column nature text;
alter table notifications add column refund_nature text;
alter table archived_notifications add column refund_nature text;
