create table kysely_migration
  (name varchar(255) primary key, timestamp varchar(255) not null);
create table kysely_migration_lock
  (id varchar(255) primary key, is_locked integer not null default 0);

-- `src/database/sandbox-tables.ts` says what each column means.

create table test_clock (
  id integer primary key,
  offset_ms bigint not null
);

create table requests (
  store_id text not null,
  id bigint not null,
  at bigint not null,
  method text not null,
  target text not null,
  status_code integer not null,
  duration_ms integer not null,
  transaction_code text,
  request_body text,
  response_body text not null,
  error_codes text not null,
  constraint requests_pk primary key (store_id, id)
);
create index requests_of_transaction on requests (store_id, transaction_code, id);

create table request_milestones (
  store_id text not null,
  step text not null,
  at bigint not null,
  constraint request_milestones_pk primary key (store_id, step)
);

create table inboxes (
  store_id text primary key,
  address text not null unique,
  answer integer not null
);

create table inbox_items (
  store_id text not null,
  id bigint not null,
  at bigint not null,
  headers text not null,
  body text not null,
  status_code integer not null,
  constraint inbox_items_pk primary key (store_id, id)
);

create table settlement_modes (
  store_id text not null,
  method text not null,
  kind text not null,
  seconds integer,
  constraint settlement_modes_pk primary key (store_id, method)
);

create table bank_events (
  subject text not null,
  subject_id bigint not null,
  outcome text not null,
  due_at bigint not null,
  lease_until bigint,
  constraint bank_events_pk primary key (subject, subject_id)
);
create index bank_events_due on bank_events (due_at);

delete from kysely_migration;
insert into kysely_migration (name, timestamp)
  values ('0001_create_sandbox_tables', '2026-11-22T08:50:04.632Z');

delete from kysely_migration_lock;
insert into kysely_migration_lock (id, is_locked)
  values ('migration_lock', 0);

delete from test_clock;

delete from requests;
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000000, 1795262400000, 'POST', '/transactions', 201, 299, '59572800003858', '{"transaction":{"reference":"order-saved","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"token":"eyJhbGciOiJF…","save":true}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","unit-price":50,"type":"digital"}]}', '{"transaction":{"code":"59572800003858","reference":"order-saved","amount":100,"status":"PAID","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00"},"payment-methods":[{"code":"LhntEBnyYUwu3bd00AwBNKH4lbGsdVNB","credit-card":{"brand":"visa","masked-number":"************1111","expiration-date":"2030-12"},"date-created":"2026-11-21T09:00:00.000-03:00"}]}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000001, 1795262400000, 'POST', '/transactions', 201, 63, '59572800008660', '{"transaction":{"reference":"order-refunded","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"token":"eyJhbGciOiJF…"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","unit-price":50,"type":"digital"}]}', '{"transaction":{"code":"59572800008660","reference":"order-refunded","amount":100,"status":"PAID","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000002, 1795262400000, 'GET', '/transactions/59572800008660', 200, 32, '59572800008660', null, '{"transaction-result":{"store-id":"store-1","transactions":[{"transaction-code":"59572800008660","order-id":"order-refunded","order-description":"Café","status":"COMPLETE","currency":"BRL","amount":"100.00","customer-email":"maria@example.com","customer-country":"BR","notify-url":"https://shop.example/notifications","payment-country":"BR","payment-id":"visa","payment-name":"Visa","order-date":"2026-11-21T09:00:00.000-03:00","payment-date":"2026-11-21T09:00:00.000-03:00","last-status-change-date":"2026-11-21T09:00:00.000-03:00","chargeback-date":null,"refundable":true,"refunds":[],"payment-methods":[]}]},"metadata":{"found":"1","page-results":1,"current-page":1,"total-pages":1}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000003, 1795262400000, 'POST', '/refunds', 201, 14, '59572800008660', '{"transaction-id":"59572800008660","amount":40,"reference":"part","notify-url":"https://shop.example/notifications"}', '{"refund-id":"59572800002145"}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000004, 1795262400000, 'POST', '/transactions', 201, 34, '59572800003334', '{"transaction":{"reference":"order-slow-refund","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"token":"eyJhbGciOiJF…"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","unit-price":50,"type":"digital"}]}', '{"transaction":{"code":"59572800003334","reference":"order-slow-refund","amount":100,"status":"PAID","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000005, 1795262400000, 'POST', '/refunds', 201, 8, '59572800003334', '{"transaction-id":"59572800003334","amount":100,"reference":"slow","notify-url":"https://shop.example/notifications"}', '{"refund-id":"59572800000123"}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000006, 1795262400000, 'POST', '/transactions', 201, 14, '59572800008824', '{"transaction":{"reference":"order-declined","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"token":"eyJhbGciOiJF…"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","unit-price":50,"type":"digital"}]}', '{"transaction":{"code":"59572800008824","reference":"order-declined","amount":100,"status":"REJECTED","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000007, 1795262400000, 'POST', '/transactions', 201, 93, '59572800001523', '{"transaction":{"reference":"order-boleto","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"postpay","sub-type":"boleto"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","document":{"type":"CPF","number":"52998224725"},"ip":"203.0.113.7"},"cart":[{"quantity":1,"description":"Café","unit-price":100,"type":"digital"}]}', '{"transaction":{"code":"59572800001523","reference":"order-boleto","amount":100,"status":"PENDING","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00","barcode-number":"03391164000000100009000000057280000152390101","digitable-line":"03399000030005728000001523901013116400000010000","payment-url":"https://api.example.com/b/Qiq92IolIYPK5gFL"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000008, 1795262400000, 'POST', '/transactions', 201, 26, '59572800008620', '{"transaction":{"reference":"order-pix","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"eft","sub-type":"pix"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","document":{"type":"CPF","number":"52998224725"},"ip":"203.0.113.7"},"cart":[{"quantity":1,"description":"Café","unit-price":100,"type":"digital"}]}', '{"transaction":{"code":"59572800008620","reference":"order-pix","amount":100,"status":"PENDING","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00","payment-code":"00020101021226640014br.gov.bcb.pix2542pix.sandbox.invalid/qr/v2/652gWCq43GEZ87us5204000053039865406100.005802BR5913Cofre Sandbox6009Sao Paulo62070503***630480EE","qrcode-image":"https://api.example.com/q/652gWCq43GEZ87us.png"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000009, 1795262400000, 'POST', '/transactions', 201, 49, '59572800003028', '{"transaction":{"reference":"order-wallet","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR","redirect-urls":{"success":"https://shop.example/thanks?order=1","fail":"https://shop.example/cart"}},"charge":[{"amount":100,"payment-method":{"type":"e-wallet","sub-type":"pagseguro"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","document":{"type":"CPF","number":"52998224725"},"ip":"203.0.113.7"},"cart":[{"quantity":1,"description":"Café","unit-price":100,"type":"digital"}]}', '{"transaction":{"code":"59572800003028","reference":"order-wallet","amount":100,"status":"PENDING","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00","payment-url":"https://api.example.com/w/kYCizEK44rLKzcrU"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000010, 1795262400000, 'POST', '/transactions', 201, 10, '59572800009299', '{"transaction":{"reference":"order-unsent","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"token":"eyJhbGciOiJF…"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","unit-price":50,"type":"digital"}]}', '{"transaction":{"code":"59572800009299","reference":"order-unsent","amount":100,"status":"PAID","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000011, 1795262400000, 'POST', '/transactions', 400, 12, null, '{}', '{"errors":[{"code":210101,"description":"transaction_missing","property":"transaction","constraint":"required"},{"code":210201,"description":"charge_missing","property":"charge","constraint":"required"},{"code":210302,"description":"payer_invalid","property":"payer","constraint":"required"},{"code":210501,"description":"cart_missing","property":"cart","constraint":"required"}]}', '[210101,210201,210302,210501]');

delete from request_milestones;

delete from inboxes;

delete from inbox_items;

delete from settlement_modes;

delete from bank_events;
insert into bank_events (subject, subject_id, outcome, due_at, lease_until)
  values ('refund', 59572800000123, 'PROCESSED', 1795262700000, null);
