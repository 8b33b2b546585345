-- How often a bank has said of a refund that it is in process: its pauses grow by that.
alter table refunds add column in_process integer not null default 0;
alter table archived_refunds add column in_process integer not null default 0;
alter table pix_payments add column in_process integer not null default 0;
alter table archived_pix_payments add column in_process integer not null default 0;
