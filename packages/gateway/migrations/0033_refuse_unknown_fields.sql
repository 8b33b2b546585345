-- Whether a store of the sandbox refuses fields of a body that nothing reads.
alter table merchants add column unknown_fields text;
