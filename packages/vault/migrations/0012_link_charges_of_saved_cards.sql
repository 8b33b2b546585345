-- How brands know the charges of saved cards, for the charges that follow.
alter table card_charges add column transaction_link_id text;
alter table card_charges add column charged_card_code text;
alter table card_charges add column is_unlinked integer not null default 0;
create index card_charges_of_saved_card on card_charges (charged_card_code)
  where charged_card_code is not null;
-- Those sent without an id that their brand wants, which are to become few.
create index card_charges_unlinked on card_charges (first_attempt_at_ms) where is_unlinked = 1;
create index authorizations_saved_card on authorizations (saved_card_code)
  where saved_card_code is not null;

alter table saved_cards add column network_transaction_id text;
alter table saved_cards add column newest_network_transaction_id text;
alter table saved_cards add column transaction_link_id text;
alter table saved_cards add column newest_transaction_link_id text;
alter table saved_cards add column links_asked_at_ms bigint;
