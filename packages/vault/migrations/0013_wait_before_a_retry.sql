-- Until when the brand has a declined card wait; null where it names no time.
alter table card_declines add column waits_until_ms bigint;
