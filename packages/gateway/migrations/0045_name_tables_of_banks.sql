-- Alone: releases up to 0.2 know these tables by their first names, of when banks had PIX alone.

alter table pix_charges rename to bank_charges;
alter table pix_txids rename to charge_names;
alter table pix_payments rename to bank_payments;
alter table pix_sweeps rename to bank_sweeps;
alter table archived_pix_charges rename to archived_bank_charges;
alter table archived_pix_payments rename to archived_bank_payments;

-- On PostgreSQL only: indexes and constraints take their tables' names, and so do the years of the
-- archive, which `cofre archive` looks for by name.
do $$ declare old record; begin
  for old in
    select relname as name, case relkind when 'r' then 'table' else 'index' end as kind
    from pg_class
    where relnamespace = current_schema()::text::regnamespace and relkind in ('r', 'i', 'I')
      and relname ~ 'pix_(charges|txids|payments|sweeps)'
  loop
    execute format('alter %s %I rename to %I', old.kind, old.name,
      replace(replace(old.name, 'pix_txids', 'charge_names'), 'pix_', 'bank_')); --
  end loop; --
  for old in
    select conname as name, conrelid::regclass as owner
    from pg_constraint
    where connamespace = current_schema()::text::regnamespace
      and contype = 'f' and conname ~ 'pix_(charges|txids|payments|sweeps)'
  loop
    execute format('alter table %s rename constraint %I to %I', old.owner, old.name,
      replace(replace(old.name, 'pix_txids', 'charge_names'), 'pix_', 'bank_')); --
  end loop; --
end $$;
