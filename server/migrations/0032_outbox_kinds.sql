-- Messages of rows of bulk orders, and the others, each in their order: a backlog of one kind does not slow the other down.
create index outbox_of_bulk_rows on outbox (id) where is_bulk_row;
create index outbox_of_others on outbox (id) where not is_bulk_row;
