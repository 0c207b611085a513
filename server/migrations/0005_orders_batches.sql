create table batch (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  -- null until rows are accepted: an id alone is not yet a bulk order
  status text check (status in ('processing', 'generating_files', 'retrying_failed', 'completed', 'completed_with_errors', 'failed',
    'processing_error', 'retry_processing_error')),
  content_hash text,
  total_count int not null default 0,
  cost_cents bigint not null default 0,
  -- raised under the batch's lock with every hold: it makes the hold's key
  submission int not null default 0,
  -- frozen when the batch comes to its end; while it runs its rows are counted
  processed_count int not null default 0,
  failed_count int not null default 0,
  -- makes the files' names unguessable; a name is null while its file does not exist
  file_key uuid not null default gen_random_uuid(),
  pdf_name text,
  result_name text,
  confirm_name text,
  -- when the rows' outcome changed after the files were made, they are made again
  files_stale boolean not null default false,
  -- how often rows have changed after the end. Files are up to date when they were made of the newest change; until then they
  -- stay stale, so that a making which fails or dies is taken up again
  changes int not null default 0,
  work_lease_until timestamptz,
  -- when nothing but unknown rows was left for the first time
  only_unknown_since timestamptz,
  created_at timestamptz not null default now(),
  accepted_at timestamptz,
  -- when the retry under way began: labels whose outcome was unknown before it are not bought by it
  retried_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  check ((status is null) = (accepted_at is null))
);
create index batch_of_user on batch (user_id, id) where status is not null;
create index batch_in_progress on batch (id) where status in ('processing', 'generating_files', 'retrying_failed') or files_stale;

-- One row is one label and one place in the queue.
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
  -- not to be tried before; look-ups of unknown rows wait by it too
  run_after timestamptz not null default now(),
  service_uid text not null,
  service_name text not null,
  price_cents bigint not null check (price_cents >= 0),
  sender jsonb not null,
  receiver jsonb not null,
  package jsonb not null,
  manifested boolean not null default false,
  order_ref text,
  item_ref text,
  -- makes the label's file name unguessable
  pdf_key uuid not null default gen_random_uuid(),
  tracking_number text,
  cost_cents bigint,
  reason text,
  -- the batch that took this failed row over by 'Edit failed rows'
  replaced_by bigint references batch,
  queued_at timestamptz not null default now(),
  unknown_since timestamptz,
  purchased_at timestamptz,
  created_at timestamptz not null default now(),
  check ((batch_id is null) = (row_no is null)),
  check ((state in ('purchased', 'voiding', 'voided')) = (tracking_number is not null)),
  unique (batch_id, row_no)
) with (fillfactor = 70);
create index order_queue on shipment_order (user_id, id) where state = 'queued';
create index order_lease on shipment_order (lease_until) where state = 'purchasing';
create index order_unknown on shipment_order (run_after) where state = 'unknown';
create index order_of_user on shipment_order (user_id, id desc);
create index order_tracking on shipment_order (user_id, tracking_number text_pattern_ops) where tracking_number is not null;
create index order_reference on shipment_order (user_id, order_ref text_pattern_ops) where order_ref is not null;
-- Counting a batch while it runs reads the index alone.
create index order_of_batch on shipment_order (batch_id, state) where batch_id is not null;
-- The failed labels of a batch, in the order of its table, without a walk over those that were bought.
create index order_not_purchased on shipment_order (batch_id, row_no) where state in ('failed', 'unknown');

-- The only steps a label may take (architecture, 4); the database refuses any other.
create function check_order_transition() returns trigger language plpgsql as $$
begin
  if new.user_id <> old.user_id or new.price_cents <> old.price_cents or new.round < old.round or new.fence < old.fence then
    raise exception 'order %: owner and price are fixed, round and fence only grow', old.id using errcode = 'check_violation';
  end if;
  if new.state = old.state then
    if new.round <> old.round then
      raise exception 'order %: a new round begins with failed to queued', old.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (old.state, new.state) not in (
    ('queued', 'purchasing'), ('queued', 'failed'),
    ('purchasing', 'purchased'), ('purchasing', 'failed'), ('purchasing', 'queued'), ('purchasing', 'unknown'),
    ('unknown', 'purchased'), ('unknown', 'failed'), ('unknown', 'queued'),
    ('failed', 'queued'),
    ('purchased', 'voiding'), ('voiding', 'voided'), ('voiding', 'purchased'))
  then
    raise exception 'order %: from % to % is no step of a label''s life', old.id, old.state, new.state using errcode = 'check_violation';
  end if;
  if (old.state = 'failed') <> (new.round = old.round + 1) or (old.state <> 'failed' and new.round <> old.round) then
    raise exception 'order %: a round begins with failed to queued and nowhere else', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger check_order_transition before update of state, round, fence, user_id, price_cents on shipment_order
  for each row execute function check_order_transition();
create function refuse_order_delete() returns trigger language plpgsql as $$
begin
  raise exception 'an order is never deleted' using errcode = 'restrict_violation';
end $$;
create trigger refuse_order_delete before delete on shipment_order for each row execute function refuse_order_delete();

-- Idempotency-Key of single orders: per user, 24 hours.
create table order_request (
  user_id bigint not null references app_user,
  key text not null,
  body_hash text not null,
  order_id bigint not null references shipment_order,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);

-- Files made of labels. They are derived and can be made again; never the record of a purchase.
create table label_file (
  name text primary key,
  user_id bigint not null references app_user,
  batch_id bigint references batch,
  kind text not null check (kind in ('pdf', 'result-csv', 'auto-csv')),
  bytes bigint not null,
  sha256 text not null,
  created_at timestamptz not null default now()
);
create index label_file_of_batch on label_file (batch_id);
