-- Roles that count in the sandbox of a store alone, kept in production's database with all people.
-- Apart from `memberships`: the store may be of the sandbox alone, and gets no production by it.
create table sandbox_memberships (
  merchant_id text not null,
  person_id text not null references people (id),
  role text not null,
  created_at bigint not null,
  constraint sandbox_memberships_pk primary key (merchant_id, person_id)
);
create index sandbox_memberships_of_person on sandbox_memberships (person_id);
