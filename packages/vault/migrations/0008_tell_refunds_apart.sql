-- What a gateway tells a refund of a charge from the others by.
alter table card_returns add column identity text;
