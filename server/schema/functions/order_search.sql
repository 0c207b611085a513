-- The words of texts as server/orders/search.ts finds them: in lowercase, without accents, separated by anything that is not a letter or
-- a digit. Each word is behind its owner's id, '42:rivera', so that one index serves all users.
create or replace function order_search_words(owner bigint, texts text[]) returns tsvector language sql immutable as $$
  select array_to_tsvector(array_remove(
    string_to_array(owner || ':' || replace(
      translate(lower(plain), E' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\x7f\t\n\x0b\x0c\r\u2013\u2014\u2018\u2019\u201c\u201d', repeat(' ', 46)),
      ' ', ' ' || owner || ':'), ' '),
    owner || ':'))
  from (select case when octet_length(given) = length(given) then given
    else regexp_replace(normalize(given, nfkd), '[\u0300-\u036f]+', '', 'g') end as plain
    from array_to_string(texts, ' ') as given) folded
$$;

-- At most `most` orders by words of their names and references, from the index alone. Without the setting the planner reads the whole
-- table for a frequent prefix.
create or replace function find_orders_by_words(query tsquery, most int) returns table (order_id bigint)
  language sql stable set enable_seqscan = off as $$
  select order_id from order_list_entry where search_words @@ query limit most
$$;

-- As above, of the matches of `query` those that also match `exact`, where it is not null. The one above is for programs before this one.
create or replace function find_orders_by_words(query tsquery, exact tsquery, most int) returns table (order_id bigint)
  language sql stable set enable_seqscan = off as $$
  select order_id from order_list_entry where search_words @@ query and (exact is null or (search_words @@ exact)::int <> 0) limit most
$$;
