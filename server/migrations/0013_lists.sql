-- Lists that stay fast. What an order is found by is written once, beside the order, in a table that is never changed: an order's own row
-- is changed three times until its label is bought, and every index on it is written anew each time.
create table user_order_count (
  user_id bigint primary key references app_user,
  -- how many orders the user has
  n int not null
) with (fillfactor = 50);

create table order_list_entry (
  user_id bigint not null,
  -- counts the user's orders from 1 without a gap, as their numbers and times do: any page of his list is a stretch of it
  n int not null,
  -- written in the statement that writes the order; orders are never deleted
  order_id bigint not null,
  placed_at timestamptz not null,
  -- the shop's own reference in small letters
  reference text,
  -- words of the names and of the reference, each behind its owner's number: '42:rivera'
  words tsvector not null,
  primary key (user_id, n)
);
create trigger order_list_entry_immutable before update or delete on order_list_entry for each row execute function refuse_change();

-- The words of texts as server/orders/search.ts finds them: in small letters, without accents, parted by what is no letter or digit.
-- For the orders that are there already.
create function order_search_words(owner bigint, texts text[]) returns tsvector language sql immutable as $$
  select array_to_tsvector(array_remove(
    string_to_array(owner || ':' || replace(
      translate(lower(plain), E' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\x7f\t\n\x0b\x0c\r\u2013\u2014\u2018\u2019\u201c\u201d', repeat(' ', 46)),
      ' ', ' ' || owner || ':'), ' '),
    owner || ':'))
  from (select case when octet_length(given) = length(given) then given
    else regexp_replace(normalize(given, nfkd), '[\u0300-\u036f]+', '', 'g') end as plain
    from array_to_string(texts, ' ') as given) folded
$$;

insert into user_order_count (user_id, n) select user_id, count(*) from shipment_order group by user_id;
insert into order_list_entry (user_id, n, order_id, placed_at, reference, words)
  select user_id, row_number() over (partition by user_id order by id), id, created_at, lower(order_ref),
      order_search_words(user_id, array[sender ->> 'name', receiver ->> 'name', order_ref])
    from shipment_order;
create index order_list_entry_words on order_list_entry using gin (words);
create index order_list_entry_reference on order_list_entry (reference text_pattern_ops) where reference is not null;
drop index order_reference;

-- A tracking number is typed from its end or as a whole.
drop index order_tracking;
create index order_tracking_end on shipment_order (reverse(tracking_number) text_pattern_ops) where tracking_number is not null;

-- Labels that most lists are looked through for. A label that is bought at once never enters these.
create index order_exception on shipment_order (state, id) where state in ('unknown', 'failed', 'voiding', 'voided');
create index order_exception_of_user on shipment_order (user_id, state, id) where state in ('unknown', 'failed', 'voiding', 'voided');

-- Orders by words of their names and references, at most so many. The words are behind their owner's number, so the index alone finds
-- them; left to itself the planner takes a frequent beginning for a reason to read the whole table.
create function find_orders_by_words(wanted tsquery, most int) returns table (order_id bigint) language sql stable set enable_seqscan = off as $$
  select order_id from order_list_entry where words @@ wanted limit most
$$;
