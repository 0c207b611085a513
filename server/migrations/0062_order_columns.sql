-- Oldest program: 0060
-- A purchase changes columns of an order that stood before and behind the wide ones, so that the database logged each new version whole,
-- addresses included. Where there are no orders yet, the columns that a purchase never changes move to the end, and each page keeps room
-- for a second version of its orders: then only what lies between is logged (docs/decisions/0078-what-a-purchase-writes.md). Orders that are there stay as they are.
do $$
begin
  if exists (select from shipment_order) then
    return;
  end if;
  -- An order may have been placed meanwhile.
  lock table shipment_order in access exclusive mode;
  if exists (select from shipment_order) then
    return;
  end if;
  alter table shipment_order
    drop column service_uid,
    drop column service_name,
    drop column sender,
    drop column receiver,
    drop column package,
    drop column items,
    drop column order_ref,
    drop column item_ref,
    drop column pdf_key;
  alter table shipment_order
    add column service_uid text not null,
    add column service_name text not null,
    add column sender jsonb not null,
    add column receiver jsonb not null,
    add column package jsonb not null,
    -- Order items of a row that combines several, as in its table; null: the row is its own item.
    add column items jsonb,
    add column order_ref text,
    add column item_ref text,
    add column pdf_key uuid not null default gen_random_uuid(),
    add constraint shipment_order_items_check check (jsonb_array_length(items) between 1 and 500),
    set (fillfactor = 47);
  -- The indexes of the next migrations take their places, and that of order_of_service, which its column has taken along. Where there are
  -- orders, programs of the version before need them until they have ended: the version after this one drops them.
  drop index if exists order_of_user, order_of_batch;
end $$;
