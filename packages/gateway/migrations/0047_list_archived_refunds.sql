-- The API lists a store's refunds, those of archived payments too.
create index archived_refunds_of_store on archived_refunds (merchant_id, id);
