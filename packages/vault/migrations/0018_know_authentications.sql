-- 1 when the gateway of an order understands what answers contain of its authentication.
alter table authorizations add column knows_authentication integer not null default 0;
