-- Whose e-mail is proved, and which link proves one. A person that has lost its e-mail to whoever
-- proved it keeps its id in its place.
alter table people add column email_proved_at bigint;
alter table people add column former_email text;
alter table console_links add column proves_email integer not null default 0;
