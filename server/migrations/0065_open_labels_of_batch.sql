-- Whether a bulk order has labels to buy. A label leaves it when it is bought, and enters no index by its new state.
create index concurrently order_open_of_batch on shipment_order (batch_id) where state in ('queued', 'purchasing') and batch_id is not null;
