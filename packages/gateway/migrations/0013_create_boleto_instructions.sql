-- Boletos whose bank is told by files (CNAB). Amounts in centavos, times in epoch milliseconds.
-- `src/ledger/database/boleto-file-tables.ts` says what each column means.

create table boleto_instructions (
  account_id text not null references accounts (id),
  number bigint not null,
  kind text not null,
  name text not null,
  amount bigint not null,
  due_date text not null,
  issued_on text not null,
  payer text,
  withdrawn integer not null,
  file bigint,
  primary key (account_id, number, kind),
  constraint boleto_instructions_name unique (account_id, name, kind)
);
create index boleto_instructions_waiting on boleto_instructions (account_id)
  where file is null and withdrawn = 0;
create index boleto_instructions_of_file on boleto_instructions (account_id, file)
  where file is not null;
create index boleto_instructions_named on boleto_instructions (name);

create table boleto_remittances (
  account_id text not null references accounts (id),
  sequence bigint not null,
  written_on text not null,
  sha256 text not null,
  made_at bigint not null,
  on_disk integer not null,
  primary key (account_id, sequence)
);

create table boleto_counters (
  account_id text primary key references accounts (id),
  last_number bigint not null,
  last_file bigint not null
);
