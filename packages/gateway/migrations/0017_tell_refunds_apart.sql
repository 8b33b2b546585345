-- What a refund was asked for with. `src/model/refund/refund-identity.ts` says what it is made of.
alter table refunds add column identity text;
alter table archived_refunds add column identity text;

-- Keys of digests, wrapped by the gateway's key.
create table digest_keys (
  purpose text primary key,
  wrapped text not null
);
