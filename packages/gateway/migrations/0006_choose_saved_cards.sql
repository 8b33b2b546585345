-- What saved cards of the sandbox are. `src/ledger/database/gateway-tables.ts` says what it means.
alter table merchants add column saved_cards text;
