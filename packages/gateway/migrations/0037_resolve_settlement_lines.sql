-- Who has looked at a difference of a line, and what they found.
alter table settlement_lines add column resolved_at bigint;
alter table settlement_lines add column resolved_by text;
alter table settlement_lines add column note text;
