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
  values ('0001_create_sandbox_tables', '2026-11-22T08:49:59.102Z');

delete from kysely_migration_lock;
insert into kysely_migration_lock (id, is_locked)
  values ('migration_lock', 0);

delete from test_clock;

delete from requests;
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000000, 1795262400000, 'POST', '/transactions', 201, 352, '59572800003941', '{"transaction":{"reference":"order-saved","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"token":"eyJhbGciOiJF…","save":true}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","unit-price":50,"type":"digital"}]}', '{"transaction":{"code":"59572800003941","reference":"order-saved","amount":100,"status":"PAID","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00"},"payment-methods":[{"code":"R3jiDFGSRdBZa6DWfmruXsWYXRcXxgXF","credit-card":{"brand":"visa","masked-number":"************1111","expiration-date":"2030-12"},"date-created":"2026-11-21T09:00:00.000-03:00"}]}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000001, 1795262400000, 'POST', '/transactions', 201, 48, '59572800009581', '{"transaction":{"reference":"order-refunded","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"token":"eyJhbGciOiJF…"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","unit-price":50,"type":"digital"}]}', '{"transaction":{"code":"59572800009581","reference":"order-refunded","amount":100,"status":"PAID","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000002, 1795262400000, 'GET', '/transactions/59572800009581', 200, 22, '59572800009581', null, '{"transaction-result":{"store-id":"store-1","transactions":[{"transaction-code":"59572800009581","order-id":"order-refunded","order-description":"Café","status":"COMPLETE","currency":"BRL","amount":"100.00","customer-email":"maria@example.com","customer-country":"BR","notify-url":"https://shop.example/notifications","payment-country":"BR","payment-id":"visa","payment-name":"Visa","order-date":"2026-11-21T09:00:00.000-03:00","payment-date":"2026-11-21T09:00:00.000-03:00","last-status-change-date":"2026-11-21T09:00:00.000-03:00","chargeback-date":null,"refundable":true,"refunds":[],"payment-methods":[]}]},"metadata":{"found":"1","page-results":1,"current-page":1,"total-pages":1}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000003, 1795262400000, 'POST', '/refunds', 201, 36, '59572800009581', '{"transaction-id":"59572800009581","amount":40,"reference":"part","notify-url":"https://shop.example/notifications"}', '{"refund-id":"59572800002929"}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000004, 1795262400000, 'POST', '/transactions', 201, 103, '59572800006518', '{"transaction":{"reference":"order-slow-refund","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"token":"eyJhbGciOiJF…"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","unit-price":50,"type":"digital"}]}', '{"transaction":{"code":"59572800006518","reference":"order-slow-refund","amount":100,"status":"PAID","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000005, 1795262400000, 'POST', '/refunds', 201, 6, '59572800006518', '{"transaction-id":"59572800006518","amount":100,"reference":"slow","notify-url":"https://shop.example/notifications"}', '{"refund-id":"59572800001821"}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000006, 1795262400000, 'POST', '/transactions', 201, 54, '59572800000869', '{"transaction":{"reference":"order-declined","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"token":"eyJhbGciOiJF…"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","unit-price":50,"type":"digital"}]}', '{"transaction":{"code":"59572800000869","reference":"order-declined","amount":100,"status":"REJECTED","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000007, 1795262400000, 'POST', '/transactions', 201, 45, '59572800008977', '{"transaction":{"reference":"order-boleto","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"postpay","sub-type":"boleto"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","document":{"type":"CPF","number":"52998224725"},"ip":"203.0.113.7"},"cart":[{"quantity":1,"description":"Café","unit-price":100,"type":"digital"}]}', '{"transaction":{"code":"59572800008977","reference":"order-boleto","amount":100,"status":"PENDING","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00","barcode-number":"03397164000000100009000000057280000897710101","digitable-line":"03399000030005728000008977101016716400000010000","payment-url":"https://api.example.com/b/qMyiEjd8CMdM8i9z"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000008, 1795262400000, 'POST', '/transactions', 201, 19, '59572800002604', '{"transaction":{"reference":"order-pix","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"eft","sub-type":"pix"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","document":{"type":"CPF","number":"52998224725"},"ip":"203.0.113.7"},"cart":[{"quantity":1,"description":"Café","unit-price":100,"type":"digital"}]}', '{"transaction":{"code":"59572800002604","reference":"order-pix","amount":100,"status":"PENDING","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00","payment-code":"00020101021226640014br.gov.bcb.pix2542pix.sandbox.invalid/qr/v2/lG2LBsHYZBcYIrhM5204000053039865406100.005802BR5913Cofre Sandbox6009Sao Paulo62070503***6304392D","qrcode-image":"https://api.example.com/q/lG2LBsHYZBcYIrhM.png"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000009, 1795262400000, 'POST', '/transactions', 201, 19, '59572800007736', '{"transaction":{"reference":"order-wallet","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR","redirect-urls":{"success":"https://shop.example/thanks?order=1","fail":"https://shop.example/cart"}},"charge":[{"amount":100,"payment-method":{"type":"e-wallet","sub-type":"pagseguro"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","document":{"type":"CPF","number":"52998224725"},"ip":"203.0.113.7"},"cart":[{"quantity":1,"description":"Café","unit-price":100,"type":"digital"}]}', '{"transaction":{"code":"59572800007736","reference":"order-wallet","amount":100,"status":"PENDING","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00","payment-url":"https://api.example.com/w/RK03wHkBpEtpzT9g"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000010, 1795262400000, 'POST', '/transactions', 201, 21, '59572800001965', '{"transaction":{"reference":"order-unsent","country":"BR","currency":"BRL","checkout-type":"direct","notification-url":"https://shop.example/notifications","language":"pt-BR"},"charge":[{"amount":100,"payment-method":{"type":"credit-card"},"payment-info":{"installments":1,"token":"eyJhbGciOiJF…"}}],"payer":{"name":"Maria da Silva","email":"maria@example.com","birth-date":"1990-01-31","phone-number":"+5541988887777","document":{"type":"CPF","number":"52998224725"}},"cart":[{"quantity":2,"description":"Café","unit-price":50,"type":"digital"}]}', '{"transaction":{"code":"59572800001965","reference":"order-unsent","amount":100,"status":"PAID","currency":"BRL","country":"BR","payer-email":"maria@example.com","date-created":"2026-11-21T09:00:00.000-03:00"}}', '[]');
insert into requests (store_id, id, at, method, target, status_code, duration_ms, transaction_code, request_body, response_body, error_codes)
  values ('store-1', 1795262400000011, 1795262400000, 'POST', '/transactions', 400, 9, null, '{}', '{"errors":[{"code":210101,"description":"transaction_missing","property":"transaction","constraint":"required"},{"code":210201,"description":"charge_missing","property":"charge","constraint":"required"},{"code":210302,"description":"payer_invalid","property":"payer","constraint":"required"},{"code":210501,"description":"cart_missing","property":"cart","constraint":"required"}]}', '[210101,210201,210302,210501]');

delete from request_milestones;

delete from inboxes;

delete from inbox_items;

delete from settlement_modes;

delete from bank_events;
insert into bank_events (subject, subject_id, outcome, due_at, lease_until)
  values ('refund', 59572800001821, 'PROCESSED', 1795262700000, null);
