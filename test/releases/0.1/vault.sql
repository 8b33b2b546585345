-- What Cofre 0.1 left behind: its migrations, and one of its tables with a row. For both engines.
create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);
insert into kysely_migration_lock values ('migration_lock', 0);
insert into kysely_migration values ('0001_create_vault', '2026-11-01T00:00:00.000Z');
insert into kysely_migration values ('0002_audit_and_bind', '2026-11-01T00:00:00.000Z');
create table direct_tokens (digest text primary key, sealed_card text, expires_at_ms bigint not null);
insert into direct_tokens values ('digest', null, 9);
