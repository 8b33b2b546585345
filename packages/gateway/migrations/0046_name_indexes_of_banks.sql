-- On SQLite only: PostgreSQL has renamed them. They are made anew, since SQLite renames no index.
-- Alone: as the migration before.

drop index pix_charges_looked_for;
create index bank_charges_looked_for on bank_charges (next_look_at) where next_look_at is not null;
drop index pix_charges_live;
create index bank_charges_live on bank_charges (account_id, method) where state = 'live';
drop index pix_charges_removing;
create index bank_charges_removing on bank_charges (account_id) where state = 'removing';
drop index pix_charges_our_number;
create index bank_charges_our_number on bank_charges (account_id, our_number)
  where our_number is not null;
drop index pix_payments_to_refund;
create index bank_payments_to_refund on bank_payments (next_ask_at) where next_ask_at is not null;
drop index pix_payments_surplus;
create index bank_payments_surplus on bank_payments (found_at) where purpose <> 'order';
drop index pix_payments_end_to_end;
create index bank_payments_end_to_end on bank_payments (end_to_end_id);
drop index pix_payments_of_account;
create index bank_payments_of_account on bank_payments (account_id, paid_at)
  where paid_at is not null;
