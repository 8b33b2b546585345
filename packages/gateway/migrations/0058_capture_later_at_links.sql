-- Links whose cards are authorized first, and captured later.
alter table payment_links add column captured_later integer not null default 0;
