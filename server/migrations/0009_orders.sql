-- One row is one label and one entry of the queue. server/schema/triggers/orders.sql has the steps between states.
create table shipment_order (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  batch_id bigint references batch,
  row_no int,
  state text not null default 'queued' check (state in ('queued', 'purchasing', 'unknown', 'purchased', 'failed', 'voiding', 'voided')),
  round int not null default 1,
  attempt int not null default 0,
  fence int not null default 0,
  lease_until timestamptz,
  -- not to be bought before; look-ups of unknown rows and voids wait by it too
  run_after timestamptz not null default now(),
  service_uid text not null,
  service_name text not null,
  price_cents bigint not null check (price_cents >= 0),
  sender jsonb not null,
  receiver jsonb not null,
  package jsonb not null,
  manifested boolean not null default false,
  -- the shop's references
  order_ref text,
  item_ref text,
  -- makes the label's file name unguessable
  pdf_key uuid not null default gen_random_uuid(),
  tracking_number text,
  cost_cents bigint,
  reason text,
  -- the batch that took over this failed row by 'Edit failed rows'
  replaced_by bigint references batch,
  queued_at timestamptz not null default now(),
  unknown_since timestamptz,
  purchased_at timestamptz,
  -- The account at the carrier that received the purchase: the label can only be looked up in it. Null: bought before this was
  -- recorded; the label belongs to the account of the first start afterwards (app_setting 'first-carrier-account').
  carrier_account text,
  -- when a response of this round was last missing, so that the purchase may have been made
  answer_missing_at timestamptz,
  -- why the label is to fail once the carrier confirms that it sold nothing
  carrier_refusal text,
  -- A void is requested, then confirmed or refused by the carrier. The money comes back with the confirmation.
  void_requested_at timestamptz,
  void_requested_by bigint references app_user,
  void_attempt int not null default 0,
  -- why the carrier refused the last void; null while one is open
  void_reason text,
  -- when the carrier accepted the request and left the decision open
  void_submitted_at timestamptz,
  -- the void was requested by the system, because the label was not used
  void_is_automatic boolean not null default false,
  voided_at timestamptz,
  created_at timestamptz not null default now(),
  unique (batch_id, row_no),
  constraint order_row_of_batch check ((batch_id is null) = (row_no is null)),
  constraint order_tracking_number check ((state in ('purchased', 'voiding', 'voided')) = (tracking_number is not null)),
  constraint order_carrier_refusal_unknown check (carrier_refusal is null or state = 'unknown'),
  constraint order_void_requested check (state not in ('voiding', 'voided') or void_requested_at is not null),
  constraint order_voided_at check ((state = 'voided') = (voided_at is not null))
) with (fillfactor = 70);
create index order_queue on shipment_order (user_id, id) where state = 'queued';
create index order_lease on shipment_order (lease_until) where state = 'purchasing';
create index order_unknown on shipment_order (run_after) where state = 'unknown';
create index order_voiding on shipment_order (run_after) where state = 'voiding';
create index order_of_user on shipment_order (user_id, id desc);
-- A batch in progress is counted from this index alone.
create index order_of_batch on shipment_order (batch_id, state) where batch_id is not null;
-- The failed labels of a batch, in the order of its table, without reading the purchased ones.
create index order_not_purchased on shipment_order (batch_id, row_no) where state in ('failed', 'unknown');
-- A tracking number is searched by its end or as a whole.
create index order_tracking_end on shipment_order (reverse(tracking_number) text_pattern_ops) where tracking_number is not null;
-- Labels that most lists are searched for. A label that is bought at once never enters these indexes.
create index order_exception on shipment_order (state, id) where state in ('unknown', 'failed', 'voiding', 'voided');
create index order_exception_of_user on shipment_order (user_id, state, id) where state in ('unknown', 'failed', 'voiding', 'voided');

-- Idempotency-Key of single orders: per user, for 24 hours.
create table order_request (
  user_id bigint not null references app_user,
  key text not null,
  body_hash text not null,
  order_id bigint not null references shipment_order,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);

-- How many orders a user has.
create table user_order_count (
  user_id bigint primary key references app_user,
  orders int not null
) with (fillfactor = 50);

-- What an order is found by, written once beside the order and never changed. An order's own row changes three times until its label is
-- bought, and every index on it is written again each time.
create table order_list_entry (
  user_id bigint not null,
  -- counts the user's orders from 1 without a gap, in the order of their ids and times: any page of their list is a range of it
  position int not null,
  -- written in the statement that writes the order; orders are never deleted
  order_id bigint not null,
  placed_at timestamptz not null,
  -- the shop's own reference in lowercase
  reference text,
  -- words of the names and of the reference, each behind its owner's id: '42:rivera'
  search_words tsvector not null,
  primary key (user_id, position)
);
create index order_list_entry_words on order_list_entry using gin (search_words);
create index order_list_entry_reference on order_list_entry (reference text_pattern_ops) where reference is not null;
