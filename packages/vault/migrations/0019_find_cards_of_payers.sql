-- A store lists the saved cards of a payer.
create index saved_cards_of_payer on saved_cards (payer);
