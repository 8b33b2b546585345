-- What installments cost at a store: `src/model/card/store-interest.ts` has the changes. And how
-- many installments it offers where its contracts allow more than 12.
alter table merchants add column interest text;
alter table merchants add column installments_max integer;
