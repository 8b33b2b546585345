-- A store's right to save cards without a charge: `on` or `off`; when null, on in the sandbox alone.
alter table merchants add column card_checks text;
