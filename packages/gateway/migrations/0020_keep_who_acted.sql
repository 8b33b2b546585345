-- Who acted, as the person was called that day; null of operators, and of acts from before.
alter table acts add column actor_name text;
alter table acts add column actor_email text;
alter table console_links add column maker_name text;
alter table console_links add column maker_email text;
