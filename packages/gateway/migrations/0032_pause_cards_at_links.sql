-- Limits against card testing at payment links: `src/model/payment-link/card-pause.ts` has them.
alter table card_declines add column link_id text;
create index card_declines_of_link on card_declines (link_id, declined_at)
  where link_id is not null;
create index card_declines_at_links on card_declines (merchant_id, declined_at)
  where link_id is not null;

-- The cards that were tried lately, of which some were approved.
create index payment_link_tries_by_card on payment_link_tries (created_at)
  where method = 'credit-card';
create index payment_link_tries_of_link_by_card on payment_link_tries (link_id, created_at)
  where method = 'credit-card';

create table link_card_pauses (
  merchant_id text not null references merchants (id),
  link_id text not null,
  declines integer not null,
  began_at bigint not null,
  ends_at bigint not null,
  next_told_at bigint,
  constraint link_card_pauses_pk primary key (merchant_id, link_id)
);
create index link_card_pauses_untold on link_card_pauses (next_told_at)
  where next_told_at is not null;
