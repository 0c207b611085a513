-- Oldest program: 0062
-- What the migrations before have replaced by indexes of the same columns, and the indexes that only programs before 0062 used. Queued labels
-- of a bulk order are found in the queue of its user; where there are orders, programs of the version before need order_open_of_batch until
-- they have ended: the version after this one drops it.
drop index order_bought_of_user, order_bought_of_service;
drop index if exists order_of_user, order_of_batch, order_of_service;
do $$
begin
  if not exists (select from shipment_order) then
    drop index order_open_of_batch;
  end if;
end $$;
