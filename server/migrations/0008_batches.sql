-- A bulk order. Its rows are shipment_order.
create table batch (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  -- null until rows are accepted: an id alone is not yet a bulk order
  status text check (status in ('processing', 'generating_files', 'retrying_failed', 'completed', 'completed_with_errors', 'failed',
    'processing_error', 'retry_processing_error')),
  content_hash text,
  total_count int not null default 0,
  cost_cents bigint not null default 0,
  -- raised under the batch's lock with every hold: it is part of the hold's key
  submission int not null default 0,
  -- frozen when the batch ends; while it runs its rows are counted
  processed_count int not null default 0,
  failed_count int not null default 0,
  -- makes the files' names unguessable; a name is null while its file does not exist
  file_key uuid not null default gen_random_uuid(),
  pdf_name text,
  result_name text,
  confirm_name text,
  -- the rows' outcome has changed since the files were made, so they are made again
  files_stale boolean not null default false,
  -- how often rows have changed after the end. Files are up to date when they were made of the newest change; until then they stay
  -- stale, so that making them is repeated after a failure or a crash.
  change_count int not null default 0,
  -- why the files could not be made, for the operator's task list; null once they were
  files_problem text,
  files_problem_at timestamptz,
  work_lease_until timestamptz,
  -- since when only unknown rows are left
  only_unknown_since timestamptz,
  -- when the current retry began: it does not buy labels whose outcome was unknown before
  retried_at timestamptz,
  created_at timestamptz not null default now(),
  accepted_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  constraint batch_accepted_with_status check ((status is null) = (accepted_at is null))
);
create index batch_of_user on batch (user_id, id) where status is not null;
create index batch_in_progress on batch (id) where status in ('processing', 'generating_files', 'retrying_failed') or files_stale;
create index batch_files_problem on batch (id) where files_problem is not null;
