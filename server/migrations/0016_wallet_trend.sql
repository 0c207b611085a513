-- What a seller spent in a fortnight is a sum over all his transfers of that time: from the index alone, which grows by a third.
create index transfer_of_owner_sums on transfer (owner_id, id) include (kind, cents, created_at);
drop index transfer_of_owner;
alter index transfer_of_owner_sums rename to transfer_of_owner;
