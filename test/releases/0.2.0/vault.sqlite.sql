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
  values ('0001_create_vault_tables', '2026-11-22T08:49:59.033Z');

delete from kysely_migration_lock;
insert into kysely_migration_lock (id, is_locked)
  values ('migration_lock', 0);

delete from data_keys;
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('7687bc0c57e57f1d', 'sessions:498684', 'v1.public-test-key.0qndUDsHfdDbut2Q.386u2ohaxqOXbiIuyGWJYr1OlI03e6qnqyWzt7w2wV6T8na6_ssC_Wl_KfSZXmGU', 1795262400000, 1795262400000);
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('ca7dd06b054d294a', 'direct-tokens:498684', 'v1.public-test-key.tjUWJgk2nLBOGDXs.LuFX_iLVSJCVjOGYzHPaEqj6j0RIuf6Basf5_G-kv5qNansP07Yi_nvQNTRdCHd8', 1795262400000, 1795262400000);
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('44933b5b908b8780', 'authorizations:498684', 'v1.public-test-key.voakmcI8QCR96PaE.h58BuEM60rkJsKtczxa8sRmCVATtnOwpPiZ4-NtVpB7-Gv4nqvSXd2NxeCaJa3im', 1795262400000, 1795262400000);
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('13c1a6ec919abf63', 'fingerprints', 'v1.public-test-key.B_YNn3LCcW8ai85h.MDJho9lzTX5MKKooYPKYOO2IRExkKY2VjteXEt1lDf0Q4V0N6o2OoEgJcvOLy0CZ', 1795262400000, 1795262400000);
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('6ea8d685653d497c', 'saved-cards:production:store-1', 'v1.public-test-key.VgOJsBsi4LNZtwXZ.QSVxvkif3GDIzf5DYw9XtGSTaaVvLL7TxKwNMKxPpEgL5AtKDChxaVdehOIfRpe_', 1795262400000, 1795262400000);
insert into data_keys (id, scope, wrapped_key, created_at_ms, wrapped_at_ms)
  values ('f652a17db3e01b5d', 'audit-log', 'v1.public-test-key.h_Ne04NFnFw1sFH-.vkSSyAAYRYK4PfmFcRQ4Rzr8KOeSmxMONSqTMjPjid_UyqzfiYctZatRj5LJvMZx', 1795262400000, 1795262400000);

delete from sessions;

delete from direct_tokens;
insert into direct_tokens (digest, sealed_card, expires_at_ms)
  values ('QY5KZ_JkLjdsCa6iohrVN5j4NBIIXUWv-cM6HyjZmRk', null, 1795263300000);
insert into direct_tokens (digest, sealed_card, expires_at_ms)
  values ('uCWHNxUSdB7h_KP6H24k6R81K595hBIp6cyVCvSK2Ww', null, 1795263300000);
insert into direct_tokens (digest, sealed_card, expires_at_ms)
  values ('5xqcQPTLky9o-q0f-It0OgsTf_WQ-RClZ9q3Vo6-GXc', null, 1795263300000);
insert into direct_tokens (digest, sealed_card, expires_at_ms)
  values ('RBSpsmvwnKnk1Qa9TOEFV3fNVsQPjSkOXq1K375ox7g', null, 1795263300000);
insert into direct_tokens (digest, sealed_card, expires_at_ms)
  values ('MK6-G-dFS67QiyDzIf4Pq7zwY7VYJvRx1pGqpMgvUmU', null, 1795263300000);

delete from authorizations;
insert into authorizations (transaction_code, environment, merchant_id, amount_minor, installments, outcome, brand, bin, last_four, sealed_card, save_for_payer, saved_card_code, saved_card_expiration, saved_card_created_at_ms, created_at_ms)
  values (59572800003941, 'production', 'store-1', 10000, 1, 'approved', 'visa', '411111', '1111', null, '13c1a6ec919abf63.8uZSPiw34ukaoKXzuuVdqcE4L8LtrlyjMOYcpA0g5Ls', 'R3jiDFGSRdBZa6DWfmruXsWYXRcXxgXF', '2030-12', 1795262400000, 1795262400000);
insert into authorizations (transaction_code, environment, merchant_id, amount_minor, installments, outcome, brand, bin, last_four, sealed_card, save_for_payer, saved_card_code, saved_card_expiration, saved_card_created_at_ms, created_at_ms)
  values (59572800009581, 'production', 'store-1', 10000, 1, 'approved', 'visa', '411111', '1111', null, null, null, null, null, 1795262400000);
insert into authorizations (transaction_code, environment, merchant_id, amount_minor, installments, outcome, brand, bin, last_four, sealed_card, save_for_payer, saved_card_code, saved_card_expiration, saved_card_created_at_ms, created_at_ms)
  values (59572800006518, 'production', 'store-1', 10000, 1, 'approved', 'visa', '411111', '1111', null, null, null, null, null, 1795262400000);
insert into authorizations (transaction_code, environment, merchant_id, amount_minor, installments, outcome, brand, bin, last_four, sealed_card, save_for_payer, saved_card_code, saved_card_expiration, saved_card_created_at_ms, created_at_ms)
  values (59572800000869, 'production', 'store-1', 10000, 1, 'declined', 'visa', '411111', '1111', null, null, null, null, null, 1795262400000);
insert into authorizations (transaction_code, environment, merchant_id, amount_minor, installments, outcome, brand, bin, last_four, sealed_card, save_for_payer, saved_card_code, saved_card_expiration, saved_card_created_at_ms, created_at_ms)
  values (59572800001965, 'production', 'store-1', 10000, 1, 'approved', 'visa', '411111', '1111', null, null, null, null, null, 1795262400000);

delete from saved_cards;
insert into saved_cards (code, environment, merchant_id, payer, fingerprint, sealed_card, activated_at_ms, created_at_ms)
  values ('R3jiDFGSRdBZa6DWfmruXsWYXRcXxgXF', 'production', 'store-1', '13c1a6ec919abf63.8uZSPiw34ukaoKXzuuVdqcE4L8LtrlyjMOYcpA0g5Ls', '13c1a6ec919abf63.YAi3JOBkSBFMV1UYLbNOMTcAzzqO2Iu65P68c8vqJd0', 'v1.6ea8d685653d497c.fkSzYavPGsBvkel9.6AeCRS9n3JBb804q8U9b8nW8LiVsX51Cc85m-Qtyfb-78BRGjztUyaLFB-S4HfIzZZpb4VyZBwYYwE9pQT0kECVsjpWf4WYa', 1795262400000, 1795262400000);

delete from audit_log;
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-d7a8cf8fbe30714f', 1795262400000, 'page', 'direct_token.deposited', null, null, 'QY5KZ_JkLjdsCa6iohrVN5j4NBIIXUWv-cM6HyjZmRk', 'accepted', 11, 'eFi6xO-us1_eRCLiCDhqtz4_3nSUOXgGWFJX2N96ZDM');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-967d8de09e53a742', 1795262400000, 'store:store-1', 'card.authorized', 'production', 'store-1', '59572800003941', 'approved', 8, '7Tcq16E0gIo6cbrhFWv25pON7Ehg7v96k7wZDixEk-Y');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-a154ce87d676e851', 1795262400000, 'store:store-1', 'saved_card.saved', 'production', 'store-1', 'R3jiDFGSRdBZa6DWfmruXsWYXRcXxgXF', 'saved', 10, '9P4BSuVyAOGhPEXy-hVwMiMgNUgFx84K-gsHTAue5pw');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-8753cdb716eb0748', 1795262400000, 'page', 'direct_token.deposited', null, null, 'uCWHNxUSdB7h_KP6H24k6R81K595hBIp6cyVCvSK2Ww', 'accepted', 7, '4YtF4QMOUDy29FJTp4Ie8ogIXu9cfQAo6A1c7CHgTEc');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-826758709901fe1e', 1795262400000, 'store:store-1', 'card.authorized', 'production', 'store-1', '59572800009581', 'approved', 6, 'RXkiB-qHz4Dk91bHM5E87T5YkdpN3vpu_3up4VFkkko');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-222cdbc9ad140a28', 1795262400000, 'page', 'direct_token.deposited', null, null, '5xqcQPTLky9o-q0f-It0OgsTf_WQ-RClZ9q3Vo6-GXc', 'accepted', 2, 'ELJxuQhgU_2HCknZtszElhmsv0cFufaIivMLGcpAuiA');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-9b246a743449bbbd', 1795262400000, 'store:store-1', 'card.authorized', 'production', 'store-1', '59572800006518', 'approved', 9, 'a7gf_sy_WHppkmvSWcWU4_LKdBPvE9YOJthLOGCqRAI');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-08da81baf4c3a2bf', 1795262400000, 'page', 'direct_token.deposited', null, null, 'RBSpsmvwnKnk1Qa9TOEFV3fNVsQPjSkOXq1K375ox7g', 'accepted', 1, '6DeK3lwFUj8Hb0bkDChJ3UmkH8MSlcBsZYdhhnfdBGs');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-4f2842ffa8305a8c', 1795262400000, 'store:store-1', 'card.authorized', 'production', 'store-1', '59572800000869', 'declined', 4, '4wdLdrsIBSEKcxFqi1yVWOylpwEjzoYC0i9gQQ4-NJo');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-325d0bc4087c2398', 1795262400000, 'page', 'direct_token.deposited', null, null, 'MK6-G-dFS67QiyDzIf4Pq7zwY7VYJvRx1pGqpMgvUmU', 'accepted', 3, 'OMJA7mIGwGPB3NlXqOYzjPKZzSTbzsIssD8d8MrWQf4');
insert into audit_log (id, at_ms, actor, action, environment, merchant_id, record, outcome, position, mac)
  values ('0mwqcvpc0-81526c89ca78bad6', 1795262400000, 'store:store-1', 'card.authorized', 'production', 'store-1', '59572800001965', 'approved', 5, 'ytl3jxnlwVJ4hHvcAzoBo9TsJlHaOtkFvHhqh27sLPU');

delete from audit_head;
insert into audit_head (position, mac)
  values (11, 'eFi6xO-us1_eRCLiCDhqtz4_3nSUOXgGWFJX2N96ZDM');
