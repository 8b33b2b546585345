create table kysely_migration
  (name varchar(255) primary key, timestamp varchar(255) not null);
create table kysely_migration_lock
  (id varchar(255) primary key, is_locked integer not null default 0);

-- Every card number, CVV, expiry and private key is inside a sealed text.
-- `src/vault-tables.ts` says what each column means.

create table data_keys (
  id text primary key,
  scope text not null unique,
  wrapped_key text not null,
  created_at_ms bigint not null,
  wrapped_at_ms bigint not null
);

create table sessions (
  id text primary key,
  sealed_private_key text not null,
  expires_at_ms bigint not null
);
-- On PostgreSQL only: private keys, even wrapped, must reach neither its log nor its replicas.
alter table sessions set unlogged;
create index sessions_expires_at_ms on sessions (expires_at_ms);

create table direct_tokens (
  digest text primary key,
  sealed_card text,
  expires_at_ms bigint not null
);
create index direct_tokens_expires_at_ms on direct_tokens (expires_at_ms);

-- Authorizations and the audit log will be partitioned by time one day. So each of their unique keys
-- begins with what is ordered by time: the transaction's code as a number, and the entry's id.

create table authorizations (
  transaction_code bigint not null,
  environment text not null,
  merchant_id text not null,
  amount_minor bigint not null,
  installments integer not null,
  outcome text not null,
  brand text not null,
  bin text not null,
  last_four text not null,
  sealed_card text,
  save_for_payer text,
  saved_card_code text,
  saved_card_expiration text,
  saved_card_created_at_ms bigint,
  created_at_ms bigint not null,
  constraint authorizations_key primary key (transaction_code, environment)
);
-- Finds the data keys that are still needed without reading every authorization there ever was.
create index authorizations_open on authorizations (created_at_ms) where sealed_card is not null;

create table saved_cards (
  code text primary key,
  environment text not null,
  merchant_id text not null,
  payer text not null,
  fingerprint text not null unique,
  sealed_card text not null,
  activated_at_ms bigint,
  created_at_ms bigint not null
);

create table audit_log (
  id text primary key,
  at_ms bigint not null,
  actor text not null,
  action text not null,
  environment text,
  merchant_id text,
  record text not null,
  outcome text not null,
  position bigint,
  mac text
);
-- Finds the entries that wait for their place, in order, and those that have one.
create index audit_log_position on audit_log (position, id);

create table audit_head (
  position bigint not null,
  mac text not null
);
insert into audit_head (position, mac) values (0, '');

delete from kysely_migration;
insert into kysely_migration (name, timestamp)
  values ('0001_create_vault_tables', '2026-11-22T08:50:04.154Z');

delete from kysely_migration_lock;
insert into kysely_migration_lock (id, is_locked)
  values ('migration_lock', 0);

delete from data_keys;
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('06c4b9244ab41d87', 'sessions:498684', 'v1.public-test-key.HIyamdsFAy37aFnz.EqiMod21igNLPGPUls3D2d17_y9nkLgkNRwVrsXfZQrBRrMLwQY89N66PuJ9KjcT', 1795262400000, 1795262400000);
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('e00f5dcb132a4df6', 'direct-tokens:498684', 'v1.public-test-key.ArICYjTSDDKhAAdn.zG571dWDPXOA0g4ZgXC1lgooRUmGjY--i0vDhU4xz_pwqt37ta5AEfpMEuHga8AW', 1795262400000, 1795262400000);
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('365cd9c3b8fe94c2', 'authorizations:498684', 'v1.public-test-key.pqQtShIgzKIcQykV.EyMtBwGqsP9DR5hqVAJGXD6e0lFk3jkrGd_pk6MnseIhKFcqYUSTbSiiM7nsX7dT', 1795262400000, 1795262400000);
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('8c6e44303c243824', 'fingerprints', 'v1.public-test-key.EnrZgODAPm3IDzQg.cv4tTZSy4d14-mtTU4_DBlcS7WsdMxaurAmKC9deqRL81bX68D_7huOSi6kuMxqa', 1795262400000, 1795262400000);
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('42e3a9d90066bc81', 'saved-cards:production:store-1', 'v1.public-test-key.qTxGDLB4HCOf4hu4.ln2NmyaDq7Uyy08qf1HI7Hn3pdXOAgXeJALwfl1Ytz3JfBkezCeCQmDL5zqHFFZ-', 1795262400000, 1795262400000);
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('56a670c97b906da2', 'audit-log', 'v1.public-test-key.BhWpWEi8G1Eu80tK.LVogmEt5u0u8mGscOoGeQrufSzPWDjE7TqkakDNqgRau-1x3wn4YC4moXVuHDX6L', 1795262400000, 1795262400000);

delete from sessions;

delete from direct_tokens;
insert into direct_tokens (digest, sealed_card, expires_at_ms)
  values ('1nPHlRcn5Ejkzk1gFI4_M9sIdckBTuZ-Yiz_epIOkTE', null, 1795263300000);
insert into direct_tokens (digest, sealed_card, expires_at_ms)
  values ('QdJs9Ql3fsHKlZGz5XolouWuRS9kAMThrTv4xZfcaHM', null, 1795263300000);
insert into direct_tokens (digest, sealed_card, expires_at_ms)
  values ('vDs0-SyuTPUOSK1YImscyLOIBUE-zBVtJYR0LAIm-kw', null, 1795263300000);
insert into direct_tokens (digest, sealed_card, expires_at_ms)
  values ('B8c8pn2lYf0X_VBdOvs__td8Ej6GqUlG_IUEEAJWlS4', null, 1795263300000);
insert into direct_tokens (digest, sealed_card, expires_at_ms)
  values ('yKdgOH7e1qih2KXecIXPijMaRL1ne9Y9MnbJ34l6cGY', null, 1795263300000);

delete from authorizations;
insert into authorizations (transaction_code, environment, merchant_id, amount_minor, installments, outcome, brand, bin, last_four, sealed_card, save_for_payer, saved_card_code, saved_card_expiration, saved_card_created_at_ms, created_at_ms)
  values (59572800003858, 'production', 'store-1', 10000, 1, 'approved', 'visa', '411111', '1111', null, '8c6e44303c243824.Ja9aimvqYUwkT8uiAs1BN2M5NCRqmwSsFJxzSRcX2Oo', 'LhntEBnyYUwu3bd00AwBNKH4lbGsdVNB', '2030-12', 1795262400000, 1795262400000);
insert into authorizations (transaction_code, environment, merchant_id, amount_minor, installments, outcome, brand, bin, last_four, sealed_card, save_for_payer, saved_card_code, saved_card_expiration, saved_card_created_at_ms, created_at_ms)
  values (59572800008660, 'production', 'store-1', 10000, 1, 'approved', 'visa', '411111', '1111', null, null, null, null, null, 1795262400000);
insert into authorizations (transaction_code, environment, merchant_id, amount_minor, installments, outcome, brand, bin, last_four, sealed_card, save_for_payer, saved_card_code, saved_card_expiration, saved_card_created_at_ms, created_at_ms)
  values (59572800003334, 'production', 'store-1', 10000, 1, 'approved', 'visa', '411111', '1111', null, null, null, null, null, 1795262400000);
insert into authorizations (transaction_code, environment, merchant_id, amount_minor, installments, outcome, brand, bin, last_four, sealed_card, save_for_payer, saved_card_code, saved_card_expiration, saved_card_created_at_ms, created_at_ms)
  values (59572800008824, 'production', 'store-1', 10000, 1, 'declined', 'visa', '411111', '1111', null, null, null, null, null, 1795262400000);
insert into authorizations (transaction_code, environment, merchant_id, amount_minor, installments, outcome, brand, bin, last_four, sealed_card, save_for_payer, saved_card_code, saved_card_expiration, saved_card_created_at_ms, created_at_ms)
  values (59572800009299, 'production', 'store-1', 10000, 1, 'approved', 'visa', '411111', '1111', null, null, null, null, null, 1795262400000);

delete from saved_cards;
insert into saved_cards (code, environment, merchant_id, payer, fingerprint, sealed_card, activated_at_ms, created_at_ms)
  values ('LhntEBnyYUwu3bd00AwBNKH4lbGsdVNB', 'production', 'store-1', '8c6e44303c243824.Ja9aimvqYUwkT8uiAs1BN2M5NCRqmwSsFJxzSRcX2Oo', '8c6e44303c243824.8QICXc93UaZGWmSIqrIAlFk4frydhHzB_AfqbCHXnws', 'v1.42e3a9d90066bc81.LzRy2nrU41F4f_0-.s6dShkEcYB0Kk1KqKbPufLd85asXnh9vaQbbPxRPHnJRAJDV-AUFHEUzvHcU4xHUioNWE2gHN_GJjsgrNuRY570cN-mNtmXF', 1795262400000, 1795262400000);

delete from audit_log;
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-4bca6da78211aeab', 1795262400000, 'page', 'direct_token.deposited', null, null, '1nPHlRcn5Ejkzk1gFI4_M9sIdckBTuZ-Yiz_epIOkTE', 'accepted', 3, 'IqwhLK8xRNEjUpWztNhM7XsyGg--kv2vI6BPr1nQg_o');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-8854bc31ea8c5fe2', 1795262400000, 'store:store-1', 'card.authorized', 'production', 'store-1', '59572800003858', 'approved', 9, 'VA_i-Cx5xgrTowf0T7gAyczvbruY28MCuiGtJUEY7K4');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-5fab1639ede7002c', 1795262400000, 'store:store-1', 'saved_card.saved', 'production', 'store-1', 'LhntEBnyYUwu3bd00AwBNKH4lbGsdVNB', 'saved', 6, '4B0opLkTLUxdQmL9Lyg8gjOpxR9rierzIELIcNtNydI');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-38e89d6f46648b44', 1795262400000, 'page', 'direct_token.deposited', null, null, 'QdJs9Ql3fsHKlZGz5XolouWuRS9kAMThrTv4xZfcaHM', 'accepted', 2, 'qKTzy1vw5xchSOKpZwMAP3gWZ3svbv1EEho7U-OMhZA');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-51155aee4c8b6035', 1795262400000, 'store:store-1', 'card.authorized', 'production', 'store-1', '59572800008660', 'approved', 4, 'OZ3HUfWMGp4YP9iIvno5xcDH5xoMnOhnv5kTjWnJlTg');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-5f0d656773d3efd3', 1795262400000, 'page', 'direct_token.deposited', null, null, 'vDs0-SyuTPUOSK1YImscyLOIBUE-zBVtJYR0LAIm-kw', 'accepted', 5, 'j0zgq0eZOGL1jaEuz8-wj0Z0vEuGJ0gR8Z18iRaitsM');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-7f1327f34ab616df', 1795262400000, 'store:store-1', 'card.authorized', 'production', 'store-1', '59572800003334', 'approved', 7, 'dGUSH-gK1DcmYWV80FR0eUpcyGg1jnD4iBui7wYa_a0');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-825aba154257c776', 1795262400000, 'page', 'direct_token.deposited', null, null, 'B8c8pn2lYf0X_VBdOvs__td8Ej6GqUlG_IUEEAJWlS4', 'accepted', 8, 'WAWybGPXZne7kpKj01BemvbtqbaoEtSjoGXJYA-yw7g');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-23bdb37af1d69836', 1795262400000, 'store:store-1', 'card.authorized', 'production', 'store-1', '59572800008824', 'declined', 1, 'OgEf2ltxpxvdRFTeoveEbS4EgECJGGt7UG60KNqLieU');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-e730f1e7ee140b7d', 1795262400000, 'page', 'direct_token.deposited', null, null, 'yKdgOH7e1qih2KXecIXPijMaRL1ne9Y9MnbJ34l6cGY', 'accepted', 11, 'GYjT_ND3NWq6ygUZzB2WxID4lucVdiDaHF7C5J3Aq-c');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-cca4ef68eecdefd8', 1795262400000, 'store:store-1', 'card.authorized', 'production', 'store-1', '59572800009299', 'approved', 10, 'TZ18IfTVzARxZ_YvwcthBFdcrTKAaS3FmCl2hWVooao');

delete from audit_head;
insert into audit_head (position, mac)
  values (11, 'GYjT_ND3NWq6ygUZzB2WxID4lucVdiDaHF7C5J3Aq-c');
