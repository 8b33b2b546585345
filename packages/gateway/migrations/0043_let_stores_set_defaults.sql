-- What payment links and refunds have that name none: the language of what payers see, pt-BR where
-- it is null, and the address that is notified, none where it is null.
alter table merchants add column language text;
alter table merchants add column notification_url text;
