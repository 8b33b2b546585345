create table authorizations (transaction_code bigint primary key, digest text not null unique,
  amount bigint not null, outcome text, sealed_card text, created_at bigint not null);
create table audit_log (id text primary key, at bigint not null, actor text not null,
  action text not null, record text not null, outcome text not null);
