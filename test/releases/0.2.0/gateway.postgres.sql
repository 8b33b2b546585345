create table kysely_migration
  (name varchar(255) primary key, timestamp varchar(255) not null);
create table kysely_migration_lock
  (id varchar(255) primary key, is_locked integer not null default 0);

-- Amounts in centavos, times in epoch milliseconds, truth values as 0 or 1.
-- `src/ledger/database/gateway-tables.ts` says what each column means.

create table merchants (
  id text primary key,
  name text not null,
  secret text not null,
  previous_secret text,
  previous_until bigint,
  enabled integer not null,
  raw_cards integer not null,
  refunds text not null,
  rules text not null,
  refuses_card_references integer not null,
  created_at bigint not null
);

create table store_changes (
  merchant_id text not null,
  position integer not null,
  at bigint not null,
  actor text not null,
  action text not null,
  settings text not null,
  constraint store_changes_pk primary key (merchant_id, position)
);

-- Transactions, refunds, notifications and their attempts will be partitioned by time one day.
-- So each of their unique keys begins with the code, which is ordered by time. What else must be
-- unique stands in the two tables of keys, which stay when a transaction is archived.

create table transaction_keys (
  transaction_code bigint primary key,
  merchant_id text not null,
  reference text not null,
  public_id text not null,
  constraint transaction_keys_reference unique (merchant_id, reference),
  constraint transaction_keys_public_id unique (public_id)
);

create table refund_keys (
  id bigint primary key,
  transaction_code bigint not null
);

create table transactions (
  code bigint primary key,
  merchant_id text not null references merchants (id),
  reference text not null,
  status text not null,
  first_status text,
  open integer not null,
  payment_type text not null,
  sub_type text,
  amount bigint not null,
  charged bigint not null,
  installments integer not null,
  payer_email text not null,
  payer_document text not null,
  description text not null,
  notification_url text not null,
  saved_card text,
  card_bin text,
  card_last_four text,
  public_id text not null,
  payment_details text,
  request text not null,
  created_at bigint not null,
  paid_at bigint,
  expires_at bigint,
  next_ask_at bigint,
  activate_at bigint,
  status_changed_at bigint not null
);
-- What the worker looks for: few rows of a large table.
create index transactions_open on transactions (next_ask_at) where open = 1;
create index transactions_expiring on transactions (expires_at)
  where status = 'PENDING' and expires_at is not null;
create index transactions_activating on transactions (activate_at) where activate_at is not null;
create index transactions_under_review on transactions (status_changed_at, code, open)
  where status = 'UNDER-REVIEW';
-- What a payer has bought lately.
create index transactions_payer_document on transactions (payer_document, created_at);
-- Each date filter of the search, in the order of its results.
create index transactions_created_at on transactions (merchant_id, created_at, code);
create index transactions_paid_at on transactions (merchant_id, paid_at, code);
create index transactions_status_changed_at on transactions (merchant_id, status_changed_at, code);

create table refunds (
  transaction_code bigint not null references transactions (code),
  id bigint not null,
  merchant_id text not null,
  status text not null,
  amount bigint not null,
  reference text,
  notify_url text not null,
  requested_at bigint not null,
  next_ask_at bigint not null,
  asks integer not null,
  processed_at bigint,
  constraint refunds_pk primary key (transaction_code, id)
);
-- At most one refund of a transaction is in process.
create unique index refunds_in_process on refunds (transaction_code) where status = 'PROCESSING';
create index refunds_of_store on refunds (merchant_id, id);

create table blocked_payers (
  payer text primary key,
  by_provider integer not null
);

create table payer_purchases (
  payer_document text not null,
  day integer not null,
  bought bigint not null,
  constraint payer_purchases_pk primary key (payer_document, day)
);
-- What is old enough to be deleted.
create index payer_purchases_day on payer_purchases (day);

create table idempotency_keys (
  merchant_id text not null,
  key text not null,
  fingerprint text not null,
  answer text,
  claimed_at bigint not null,
  created_at bigint not null,
  constraint idempotency_keys_pk primary key (merchant_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

create table notifications (
  transaction_code bigint not null,
  position integer not null,
  merchant_id text not null,
  refund_id bigint,
  status text not null,
  url text not null,
  created_at bigint not null,
  attempts integer not null,
  next_attempt_at bigint not null,
  lease_until bigint,
  acknowledged_at bigint,
  searched_at bigint,
  done_at bigint,
  blocked integer not null,
  constraint notifications_pk primary key (transaction_code, position)
);
-- What is due for one store, what is unfinished, what is being sent, and what there was.
create index notifications_due on notifications (merchant_id, next_attempt_at)
  where done_at is null and blocked = 0;
create index notifications_unfinished on notifications (merchant_id) where done_at is null;
create index notifications_leased on notifications (merchant_id, lease_until)
  where lease_until is not null;
create index notifications_of_store on notifications
  (merchant_id, created_at, transaction_code, position);

create table notification_attempts (
  transaction_code bigint not null,
  position integer not null,
  attempt integer not null,
  at bigint not null,
  status_code integer,
  error text,
  duration_ms integer not null,
  response_excerpt text not null,
  constraint notification_attempts_pk primary key (transaction_code, position, attempt)
);

create table acknowledging_stores (
  merchant_id text primary key
);

create table failing_stores (
  merchant_id text primary key,
  since bigint not null,
  probe_at bigint,
  probes integer not null
);

delete from kysely_migration;
insert into kysely_migration (name, timestamp)
  values ('0001_create_gateway_tables', '2026-11-22T08:50:05.171Z');

delete from kysely_migration_lock;
insert into kysely_migration_lock (id, is_locked)
  values ('migration_lock', 0);

delete from merchants;
insert into merchants (id, name, secret, previous_secret, previous_until, enabled, raw_cards, refunds, rules, refuses_card_references, created_at)
  values ('store-1', 'Loja Um', 'wrapped-v1.public-test-key.63tosQpLNuDe1PgF.CCUijJ8T4vFtMHctcDXPdkjmA3qqpZDubNDcMXV7uKb4c6W1eg', null, null, 1, 0, 'full-and-partial', 'specification', 0, 1795262400000);

delete from store_changes;
insert into store_changes (merchant_id, position, at, actor, action, settings)
  values ('store-1', 1, 1795262400000, 'start', 'created', '{"name":{"to":"Loja Um"},"enabled":{"to":true},"mayUseRawCards":{"to":false},"refunds":{"to":"full-and-partial"},"rules":{"to":"specification"},"refusesCardReferences":{"to":false}}');

delete from transaction_keys;
insert into transaction_keys (transaction_code, merchant_id, reference, public_id)
  values (59572800003858, 'store-1', 'order-saved', '9QLxIzpTIKgkKhCk');
insert into transaction_keys (transaction_code, merchant_id, reference, public_id)
  values (59572800008660, 'store-1', 'order-refunded', 'i4QKwBcNWlXyRAvV');
insert into transaction_keys (transaction_code, merchant_id, reference, public_id)
  values (59572800003334, 'store-1', 'order-slow-refund', 'EmR43mc2UZeRz580');
insert into transaction_keys (transaction_code, merchant_id, reference, public_id)
  values (59572800008824, 'store-1', 'order-declined', 'rHKGChwtTxUTfGhM');
insert into transaction_keys (transaction_code, merchant_id, reference, public_id)
  values (59572800001523, 'store-1', 'order-boleto', 'Qiq92IolIYPK5gFL');
insert into transaction_keys (transaction_code, merchant_id, reference, public_id)
  values (59572800008620, 'store-1', 'order-pix', '652gWCq43GEZ87us');
insert into transaction_keys (transaction_code, merchant_id, reference, public_id)
  values (59572800003028, 'store-1', 'order-wallet', 'kYCizEK44rLKzcrU');
insert into transaction_keys (transaction_code, merchant_id, reference, public_id)
  values (59572800009299, 'store-1', 'order-unsent', 'mbd4IYyK1Y1isygD');

delete from refund_keys;
insert into refund_keys (id, transaction_code)
  values (59572800002145, 59572800008660);
insert into refund_keys (id, transaction_code)
  values (59572800000123, 59572800003334);

delete from transactions;
insert into transactions (code, merchant_id, reference, status, first_status, open, payment_type, sub_type, amount, charged, installments, payer_email, payer_document, description, notification_url, saved_card, card_bin, card_last_four, public_id, payment_details, request, created_at, paid_at, expires_at, next_ask_at, activate_at, status_changed_at)
  values (59572800003858, 'store-1', 'order-saved', 'COMPLETE', 'COMPLETE', 0, 'credit-card', 'visa', 10000, 10000, 1, 'maria@example.com', '52998224725', 'Café', 'https://shop.example/notifications', '{"code":"LhntEBnyYUwu3bd00AwBNKH4lbGsdVNB","brand":"visa","lastFour":"1111","expirationDate":"2030-12","createdAtMs":1795262400000}', '411111', '1111', '9QLxIzpTIKgkKhCk', null, '{"transaction":{"reference":"order-saved","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":10000,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"save":true}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","type":"digital","unit-price":{"digits":"50","scale":0}}]}', 1795262400000, 1795262400000, null, 1795262520000, null, 1795262400000);
insert into transactions (code, merchant_id, reference, status, first_status, open, payment_type, sub_type, amount, charged, installments, payer_email, payer_document, description, notification_url, saved_card, card_bin, card_last_four, public_id, payment_details, request, created_at, paid_at, expires_at, next_ask_at, activate_at, status_changed_at)
  values (59572800003334, 'store-1', 'order-slow-refund', 'COMPLETE', 'COMPLETE', 0, 'credit-card', 'visa', 10000, 10000, 1, 'maria@example.com', '52998224725', 'Café', 'https://shop.example/notifications', null, '411111', '1111', 'EmR43mc2UZeRz580', null, '{"transaction":{"reference":"order-slow-refund","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":10000,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","type":"digital","unit-price":{"digits":"50","scale":0}}]}', 1795262400000, 1795262400000, null, 1795262520000, null, 1795262400000);
insert into transactions (code, merchant_id, reference, status, first_status, open, payment_type, sub_type, amount, charged, installments, payer_email, payer_document, description, notification_url, saved_card, card_bin, card_last_four, public_id, payment_details, request, created_at, paid_at, expires_at, next_ask_at, activate_at, status_changed_at)
  values (59572800008660, 'store-1', 'order-refunded', 'REFUNDED', 'COMPLETE', 0, 'credit-card', 'visa', 10000, 10000, 1, 'maria@example.com', '52998224725', 'Café', 'https://shop.example/notifications', null, '411111', '1111', 'i4QKwBcNWlXyRAvV', null, '{"transaction":{"reference":"order-refunded","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":10000,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","type":"digital","unit-price":{"digits":"50","scale":0}}]}', 1795262400000, 1795262400000, null, 1795262520000, null, 1795262400000);
insert into transactions (code, merchant_id, reference, status, first_status, open, payment_type, sub_type, amount, charged, installments, payer_email, payer_document, description, notification_url, saved_card, card_bin, card_last_four, public_id, payment_details, request, created_at, paid_at, expires_at, next_ask_at, activate_at, status_changed_at)
  values (59572800008824, 'store-1', 'order-declined', 'CANCELLED', 'CANCELLED', 0, 'credit-card', 'visa', 10000, 10000, 1, 'maria@example.com', '52998224725', 'Café', 'https://shop.example/notifications', null, '411111', '1111', 'rHKGChwtTxUTfGhM', null, '{"transaction":{"reference":"order-declined","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":10000,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","type":"digital","unit-price":{"digits":"50","scale":0}}]}', 1795262400000, null, null, 1795262520000, null, 1795262400000);
insert into transactions (code, merchant_id, reference, status, first_status, open, payment_type, sub_type, amount, charged, installments, payer_email, payer_document, description, notification_url, saved_card, card_bin, card_last_four, public_id, payment_details, request, created_at, paid_at, expires_at, next_ask_at, activate_at, status_changed_at)
  values (59572800001523, 'store-1', 'order-boleto', 'PENDING', 'PENDING', 0, 'postpay', 'boleto', 10000, 10000, 1, 'maria@example.com', '52998224725', 'Café', 'https://shop.example/notifications', null, null, null, 'Qiq92IolIYPK5gFL', '{"kind":"boleto","barcode":"03391164000000100009000000057280000152390101","digitableLine":"03399000030005728000001523901013116400000010000","dueDate":"2026-11-24","payerName":"Maria da Silva"}', '{"transaction":{"reference":"order-boleto","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":10000,"payment-method":{"type":"postpay","sub-type":"boleto"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","document":{"type":"CPF","number":"52998224725"},"ip":"203.0.113.7"},"cart":[{"quantity":1,"description":"Café","type":"digital","unit-price":{"digits":"100","scale":0}}]}', 1795262400000, null, 1796266800000, 1795262520000, null, 1795262400000);
insert into transactions (code, merchant_id, reference, status, first_status, open, payment_type, sub_type, amount, charged, installments, payer_email, payer_document, description, notification_url, saved_card, card_bin, card_last_four, public_id, payment_details, request, created_at, paid_at, expires_at, next_ask_at, activate_at, status_changed_at)
  values (59572800008620, 'store-1', 'order-pix', 'PENDING', 'PENDING', 0, 'eft', 'pix', 10000, 10000, 1, 'maria@example.com', '52998224725', 'Café', 'https://shop.example/notifications', null, null, null, '652gWCq43GEZ87us', '{"kind":"pix","code":"00020101021226640014br.gov.bcb.pix2542pix.sandbox.invalid/qr/v2/652gWCq43GEZ87us5204000053039865406100.005802BR5913Cofre Sandbox6009Sao Paulo62070503***630480EE"}', '{"transaction":{"reference":"order-pix","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":10000,"payment-method":{"type":"eft","sub-type":"pix"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","document":{"type":"CPF","number":"52998224725"},"ip":"203.0.113.7"},"cart":[{"quantity":1,"description":"Café","type":"digital","unit-price":{"digits":"100","scale":0}}]}', 1795262400000, null, 1795348800000, 1795262520000, null, 1795262400000);
insert into transactions (code, merchant_id, reference, status, first_status, open, payment_type, sub_type, amount, charged, installments, payer_email, payer_document, description, notification_url, saved_card, card_bin, card_last_four, public_id, payment_details, request, created_at, paid_at, expires_at, next_ask_at, activate_at, status_changed_at)
  values (59572800003028, 'store-1', 'order-wallet', 'PENDING', 'PENDING', 0, 'e-wallet', 'pagseguro', 10000, 10000, 1, 'maria@example.com', '52998224725', 'Café', 'https://shop.example/notifications', null, null, null, 'kYCizEK44rLKzcrU', '{"kind":"wallet","paymentUrl":"https://api.example.com/w/kYCizEK44rLKzcrU","successUrl":"https://shop.example/thanks?order=1","failUrl":"https://shop.example/cart"}', '{"transaction":{"reference":"order-wallet","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR","redirect-urls":{"success":"https://shop.example/thanks?order=1","fail":"https://shop.example/cart"}},"charge":[{"amount":10000,"payment-method":{"type":"e-wallet","sub-type":"pagseguro"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","document":{"type":"CPF","number":"52998224725"},"ip":"203.0.113.7"},"cart":[{"quantity":1,"description":"Café","type":"digital","unit-price":{"digits":"100","scale":0}}]}', 1795262400000, null, 1795266000000, 1795262520000, null, 1795262400000);
insert into transactions (code, merchant_id, reference, status, first_status, open, payment_type, sub_type, amount, charged, installments, payer_email, payer_document, description, notification_url, saved_card, card_bin, card_last_four, public_id, payment_details, request, created_at, paid_at, expires_at, next_ask_at, activate_at, status_changed_at)
  values (59572800009299, 'store-1', 'order-unsent', 'COMPLETE', 'COMPLETE', 0, 'credit-card', 'visa', 10000, 10000, 1, 'maria@example.com', '52998224725', 'Café', 'https://shop.example/notifications', null, '411111', '1111', 'mbd4IYyK1Y1isygD', null, '{"transaction":{"reference":"order-unsent","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":10000,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","type":"digital","unit-price":{"digits":"50","scale":0}}]}', 1795262400000, 1795262400000, null, 1795262520000, null, 1795262400000);

delete from refunds;
insert into refunds (transaction_code, id, merchant_id, status, amount, reference, notify_url, requested_at, next_ask_at, asks, processed_at)
  values (59572800003334, 59572800000123, 'store-1', 'PROCESSING', 10000, 'slow', 'https://shop.example/notifications', 1795262400000, 1795262430000, 1, null);
insert into refunds (transaction_code, id, merchant_id, status, amount, reference, notify_url, requested_at, next_ask_at, asks, processed_at)
  values (59572800008660, 59572800002145, 'store-1', 'PROCESSED', 4000, 'part', 'https://shop.example/notifications', 1795262400000, 1795262430000, 1, 1795262400000);

delete from blocked_payers;

delete from payer_purchases;
insert into payer_purchases (payer_document, day, bought)
  values ('52998224725', 20778, 70000);

delete from idempotency_keys;
insert into idempotency_keys (merchant_id, key, fingerprint, answer, claimed_at, created_at)
  values ('store-1', 'once', 'PpzIzxikATUlT2P8A62pLtzdZKCdFovuLbBXMg-q7wA', '{"status":201,"headers":{"content-type":"application/vnd.cofre.v2+json; charset=UTF-8"},"body":"{\"transaction\":{\"code\":\"59572800001523\",\"reference\":\"order-boleto\",\"amount\":100.00,\"status\":\"PENDING\",\"currency\":\"BRL\",\"country\":\"BR\",\"payer-email\":\"maria@example.com\",\"date-created\":\"2026-11-21T09:00:00.000-03:00\",\"barcode-number\":\"03391164000000100009000000057280000152390101\",\"digitable-line\":\"03399000030005728000001523901013116400000010000\",\"payment-url\":\"https://api.example.com/b/Qiq92IolIYPK5gFL\"}}"}', 1795262400000, 1795262400000);

delete from notifications;
insert into notifications (transaction_code, position, merchant_id, refund_id, status, url, created_at, attempts, next_attempt_at, lease_until, acknowledged_at, searched_at, done_at, blocked)
  values (59572800003858, 1, 'store-1', null, 'COMPLETE', 'https://shop.example/notifications', 1795262400000, 1, 1795262965440, null, 1795262400000, null, null, 0);
insert into notifications (transaction_code, position, merchant_id, refund_id, status, url, created_at, attempts, next_attempt_at, lease_until, acknowledged_at, searched_at, done_at, blocked)
  values (59572800008660, 1, 'store-1', null, 'COMPLETE', 'https://shop.example/notifications', 1795262400000, 1, 1795262942160, null, 1795262400000, 1795262400000, 1795262400000, 0);
insert into notifications (transaction_code, position, merchant_id, refund_id, status, url, created_at, attempts, next_attempt_at, lease_until, acknowledged_at, searched_at, done_at, blocked)
  values (59572800008824, 1, 'store-1', null, 'CANCELLED', 'https://shop.example/notifications', 1795262400000, 1, 1795262981280, null, 1795262400000, null, 1795262400000, 0);
insert into notifications (transaction_code, position, merchant_id, refund_id, status, url, created_at, attempts, next_attempt_at, lease_until, acknowledged_at, searched_at, done_at, blocked)
  values (59572800008660, 2, 'store-1', null, 'REFUNDED', 'https://shop.example/notifications', 1795262400000, 1, 1795262950140, null, 1795262400000, null, 1795262400000, 0);
insert into notifications (transaction_code, position, merchant_id, refund_id, status, url, created_at, attempts, next_attempt_at, lease_until, acknowledged_at, searched_at, done_at, blocked)
  values (59572800008660, 3, 'store-1', 59572800002145, 'REFUNDED', 'https://shop.example/notifications', 1795262400000, 1, 1795262952720, null, 1795262400000, null, 1795262400000, 0);
insert into notifications (transaction_code, position, merchant_id, refund_id, status, url, created_at, attempts, next_attempt_at, lease_until, acknowledged_at, searched_at, done_at, blocked)
  values (59572800003334, 1, 'store-1', null, 'COMPLETE', 'https://shop.example/notifications', 1795262400000, 1, 1795262960940, null, 1795262400000, null, null, 0);
insert into notifications (transaction_code, position, merchant_id, refund_id, status, url, created_at, attempts, next_attempt_at, lease_until, acknowledged_at, searched_at, done_at, blocked)
  values (59572800009299, 1, 'store-1', null, 'COMPLETE', 'https://shop.example/notifications', 1795262400000, 1, 1795262956860, null, null, null, null, 0);

delete from notification_attempts;
insert into notification_attempts (transaction_code, position, attempt, at, status_code, error, duration_ms, response_excerpt)
  values (59572800003858, 1, 1, 1795262400000, 200, null, 1, '');
insert into notification_attempts (transaction_code, position, attempt, at, status_code, error, duration_ms, response_excerpt)
  values (59572800008660, 1, 1, 1795262400000, 200, null, 1, '');
insert into notification_attempts (transaction_code, position, attempt, at, status_code, error, duration_ms, response_excerpt)
  values (59572800008824, 1, 1, 1795262400000, 200, null, 1, '');
insert into notification_attempts (transaction_code, position, attempt, at, status_code, error, duration_ms, response_excerpt)
  values (59572800008660, 2, 1, 1795262400000, 200, null, 1, '');
insert into notification_attempts (transaction_code, position, attempt, at, status_code, error, duration_ms, response_excerpt)
  values (59572800008660, 3, 1, 1795262400000, 200, null, 1, '');
insert into notification_attempts (transaction_code, position, attempt, at, status_code, error, duration_ms, response_excerpt)
  values (59572800003334, 1, 1, 1795262400000, 200, null, 1, '');
insert into notification_attempts (transaction_code, position, attempt, at, status_code, error, duration_ms, response_excerpt)
  values (59572800009299, 1, 1, 1795262400000, 500, null, 1, 'out of order');

delete from acknowledging_stores;

delete from failing_stores;
insert into failing_stores (merchant_id, since, probe_at, probes)
  values ('store-1', 1795262400000, null, 0);
