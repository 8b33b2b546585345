-- A row, never removed: the database was served as a trial, and takes no account that moves money.
create table trial_marks (
  mark text not null primary key,
  marked_at bigint not null
);
