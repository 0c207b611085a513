-- Where there are sales, programs of the version before look for them by their reference until they have ended: the version after this one
-- drops the index.
do $$
begin
  if not exists (select from sandbox_purchase) then
    drop index sandbox_purchase_reference;
  end if;
end $$;
