-- The file that a bulk order was submitted from.
alter table batch add column file_name text;
-- SHA-256 in hexadecimal
alter table batch add column file_hash text;
-- an id of contract/sources.ts
alter table batch add column file_source text;
alter table batch add constraint batch_file_whole check ((file_name is null) = (file_hash is null) and (file_name is null) = (file_source is null));
create index batch_of_file on batch (user_id, file_hash, id) where file_hash is not null;

-- Order items of a row that combines several, as in its table; null: the row is its own item.
alter table shipment_order add column items jsonb check (jsonb_array_length(items) between 1 and 500);
create index order_voided_of_batch on shipment_order (batch_id) where state = 'voided' and batch_id is not null;

-- What a combined row is found by: one row for each of its items that belongs to an order. Written once with the order, never changed.
create table order_item (
  user_id bigint not null,
  -- the shop's order id as it is compared: lowercase, without #
  reference text not null,
  item_ref text,
  order_id bigint not null,
  placed_at timestamptz not null
);
create index order_item_reference on order_item (user_id, reference);
-- A row that combines nothing is found by its own order id, compared in the same way.
create index order_list_entry_order on order_list_entry (user_id, replace(reference, '#', '')) where reference is not null;
