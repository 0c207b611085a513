-- The words of an order by its id: lists with a filter beside a search read them here instead of building them again. Orders wait while
-- this index is built, about a second for a million.
create index order_list_entry_of_order on order_list_entry (user_id, order_id);
