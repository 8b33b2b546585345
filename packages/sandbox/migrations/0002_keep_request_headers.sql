-- `src/database/sandbox-tables.ts` says what each column means.

-- Null where they were not kept yet.
alter table requests add column request_headers text;
alter table requests add column response_headers text;
