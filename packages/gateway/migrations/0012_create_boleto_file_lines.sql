-- What banks say of boletos in return files (CNAB). `src/ledger/database/boleto-file-tables.ts`
-- says what each column means.

create table boleto_file_lines (
  account_id text not null references accounts (id),
  id text not null,
  transaction_code bigint,
  our_number text,
  said text not null,
  kept_at bigint not null,
  primary key (account_id, id)
);
create index boleto_file_lines_of_transaction on boleto_file_lines (transaction_code)
  where transaction_code is not null;
create index boleto_file_lines_numbered on boleto_file_lines (account_id, our_number)
  where transaction_code is not null;
