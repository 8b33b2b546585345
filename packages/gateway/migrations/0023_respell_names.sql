-- Names are found by how they are written in ASCII: payments with a word of other letters are read
-- again by the worker, beside its other work. Until then they are found as before. Read store by
-- store, since the index begins with it.
insert into index_requests (code, next_at)
select distinct named.code, 0
from merchants
join payment_terms named on named.merchant_id = merchants.id and named.kind = 'name'
where octet_length(named.term) > length(named.term)
on conflict (code) do nothing;
