-- How often a change was given: what a gateway cannot apply comes at growing pauses.
alter table card_changes add column attempts integer not null default 0;
