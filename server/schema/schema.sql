-- The whole database at a glance, written by `npm run schema`. Do not edit: a test compares it with a migrated database.
-- The reasons are in server/migrations, the bodies of functions in the other folders of server/schema.

create table account (
  id bigint not null generated always as identity,
  kind text not null,
  owner_id bigint,
  guarded boolean generated always as ((kind in ('available', 'held'))) stored,
  constraint account_pkey primary key (id),
  constraint account_owner_id_kind_key unique nulls not distinct (owner_id, kind),
  constraint account_owner foreign key (owner_id) references app_user(id),
  constraint account_kind_check check (kind in ('available', 'held', 'cash', 'revenue', 'refunds', 'adjustments', 'carrier', 'carrier_adjustments')),
  constraint account_owned_by_kind check ((owner_id is not null) = (kind in ('available', 'held')))
);
create trigger account_immutable before delete or update on account for each row execute function refuse_change();
create trigger account_no_truncate before truncate on account for each statement execute function refuse_change();
create trigger create_account_balance after insert on account for each row execute function create_account_balance();

create table adjustment_rule (
  user_id bigint,
  rule text not null,
  limit_cents bigint,
  set_by bigint not null,
  updated_at timestamptz not null default now(),
  constraint adjustment_rule_user_id_key unique nulls not distinct (user_id),
  constraint adjustment_rule_set_by_fkey foreign key (set_by) references app_user(id),
  constraint adjustment_rule_user_id_fkey foreign key (user_id) references app_user(id),
  constraint adjustment_rule_limit check ((rule = 'limit') = (limit_cents is not null)),
  constraint adjustment_rule_limit_cents_check check (limit_cents > 0),
  constraint adjustment_rule_rule_check check (rule in ('pass_on', 'absorb', 'limit'))
);

create table api_address (
  id bigint not null generated always as identity,
  key uuid not null default gen_random_uuid(),
  user_id bigint not null,
  content jsonb not null,
  verifications jsonb,
  used_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint api_address_pkey primary key (id),
  constraint api_address_key_key unique (key),
  constraint api_address_user_id_fkey foreign key (user_id) references app_user(id)
);
create index api_address_of_user on api_address (user_id, id desc);
create index api_address_unused on api_address (used_at);

create table api_batch (
  id bigint not null generated always as identity,
  key uuid not null default gen_random_uuid(),
  user_id bigint not null,
  reference text,
  label_format text,
  is_buying boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint api_batch_pkey primary key (id),
  constraint api_batch_key_key unique (key),
  constraint api_batch_user_id_fkey foreign key (user_id) references app_user(id),
  constraint api_batch_label_format_check check (label_format in ('pdf', 'zpl'))
);
create index api_batch_buying on api_batch (id) where is_buying;
create index api_batch_of_user on api_batch (user_id, id desc);

create table api_key (
  id bigint not null generated always as identity,
  user_id bigint not null,
  key_hash bytea not null,
  name text not null,
  last4 text not null,
  scopes text[] not null,
  daily_limit_cents bigint,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  first_id bigint,
  replaced_by bigint,
  revoked_at timestamptz,
  constraint api_key_pkey primary key (id),
  constraint api_key_key_hash_key unique (key_hash),
  constraint api_key_created_by_fkey foreign key (created_by) references app_user(id),
  constraint api_key_first_id_fkey foreign key (first_id) references api_key(id),
  constraint api_key_replaced_by_fkey foreign key (replaced_by) references api_key(id),
  constraint api_key_user_id_fkey foreign key (user_id) references app_user(id),
  constraint api_key_daily_limit_cents_check check (daily_limit_cents > 0),
  constraint api_key_key_hash_check check (octet_length(key_hash) = 32),
  constraint api_key_last4_check check (char_length(last4) = 4),
  constraint api_key_scopes_check check (cardinality(scopes) > 0)
);
create index api_key_of_user on api_key (user_id, id) where (revoked_at is null);

create table api_key_spending (
  first_id bigint not null,
  day date not null,
  cents bigint not null,
  constraint api_key_spending_pkey primary key (first_id, day),
  constraint api_key_spending_first_id_fkey foreign key (first_id) references api_key(id),
  constraint api_key_spending_cents_check check (cents >= 0)
);

create table api_parcel (
  id bigint not null generated always as identity,
  key uuid not null default gen_random_uuid(),
  user_id bigint not null,
  length float8,
  width float8,
  height float8,
  weight float8 not null,
  used_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  constraint api_parcel_pkey primary key (id),
  constraint api_parcel_key_key unique (key),
  constraint api_parcel_user_id_fkey foreign key (user_id) references app_user(id)
);
create index api_parcel_of_user on api_parcel (user_id, id desc);
create index api_parcel_unused on api_parcel (used_at);

create table api_refund (
  id bigint not null generated always as identity,
  key uuid not null default gen_random_uuid(),
  user_id bigint not null,
  order_id bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint api_refund_pkey primary key (id),
  constraint api_refund_key_key unique (key),
  constraint api_refund_order_id_key unique (order_id),
  constraint api_refund_order_id_fkey foreign key (order_id) references shipment_order(id),
  constraint api_refund_user_id_fkey foreign key (user_id) references app_user(id)
);
create index api_refund_of_user on api_refund (user_id, id desc);

create table api_shipment (
  id bigint not null generated always as identity,
  key uuid not null default gen_random_uuid(),
  user_id bigint not null,
  reference text,
  sender jsonb not null,
  receiver jsonb not null,
  parcel jsonb not null,
  options jsonb not null default '{}',
  rates jsonb not null,
  rated_at timestamptz not null default clock_timestamp(),
  selected jsonb,
  order_id bigint,
  batch_id bigint,
  batch_service text,
  batch_state text,
  batch_message text,
  buy_after timestamptz,
  api_key_id bigint,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint api_shipment_pkey primary key (id),
  constraint api_shipment_key_key unique (key),
  constraint api_shipment_order_id_key unique (order_id),
  constraint api_shipment_api_key_id_fkey foreign key (api_key_id) references api_key(id),
  constraint api_shipment_batch_id_fkey foreign key (batch_id) references api_batch(id),
  constraint api_shipment_order_id_fkey foreign key (order_id) references shipment_order(id),
  constraint api_shipment_user_id_fkey foreign key (user_id) references app_user(id),
  constraint api_shipment_batch_state_check check (batch_state in ('created', 'creation_failed', 'queued', 'ordered', 'refused')),
  constraint api_shipment_check check ((batch_id is null) = (batch_state is null)),
  constraint api_shipment_check1 check ((order_id is null) = (selected is null)),
  constraint api_shipment_check2 check ((batch_state = 'queued') = (buy_after is not null))
);
create index api_shipment_draft on api_shipment (user_id, id desc) where (order_id is null);
create index api_shipment_of_batch on api_shipment (batch_id, id) where (batch_id is not null);
create index api_shipment_of_user on api_shipment (user_id, id desc);
create index api_shipment_ordered on api_shipment (user_id, id desc) where (order_id is not null);
create index api_shipment_queued on api_shipment (buy_after) where (batch_state = 'queued');
create index api_shipment_reference on api_shipment (user_id, reference) where (reference is not null);
create index api_shipment_unbought on api_shipment (created_at) where (order_id is null);

create table app_setting (
  key text not null,
  value text not null,
  created_at timestamptz not null default now(),
  constraint app_setting_pkey primary key (key)
);

create table app_user (
  id bigint not null generated always as identity,
  name text not null,
  email text not null,
  email_key text not null,
  password_hash text not null,
  role text not null default 'user',
  activation text not null default 'allow',
  referral_code text not null,
  referred_by bigint,
  avatar text,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  email_verified_at timestamptz,
  invited_at timestamptz,
  constraint app_user_pkey primary key (id),
  constraint app_user_email_key_key unique (email_key),
  constraint app_user_referral_code_key unique (referral_code),
  constraint app_user_referred_by_fkey foreign key (referred_by) references app_user(id),
  constraint app_user_activation_check check (activation in ('allow', 'block')),
  constraint app_user_not_own_referrer check (referred_by <> id),
  constraint app_user_role_check check (role in ('user', 'friend', 'admin'))
);
create index app_user_by_activation on app_user (activation, id) where (deleted_at is null);
create index app_user_by_name on app_user (lower(name), id) where (deleted_at is null);
create index app_user_by_role on app_user (role, id) where (deleted_at is null);
create index app_user_created on app_user (created_at) where (deleted_at is null);
create index app_user_referred_by on app_user (referred_by, id) where (referred_by is not null);
create index app_user_search on app_user (lower(name), email_key) include (id, name, referral_code, role, activation, created_at) where (deleted_at is null);
create index app_user_unverified on app_user (id) where ((email_verified_at is null) and (deleted_at is null));

create table audit_entry (
  id bigint not null generated always as identity,
  created_at timestamptz not null default now(),
  actor_id bigint,
  subject_id bigint,
  action text not null,
  detail jsonb not null default '{}'
) partition by range (created_at);
create index audit_entry_action on audit_entry (action, id);
create index audit_entry_actor on audit_entry (actor_id, id);
create index audit_entry_actor_action on audit_entry (actor_id, action, id);
create index audit_entry_subject on audit_entry (subject_id, id);
create index audit_entry_subject_action on audit_entry (subject_id, action, id);
create trigger audit_entry_immutable before delete or update on audit_entry for each row execute function refuse_change();
create trigger audit_entry_no_truncate before truncate on audit_entry for each statement execute function refuse_change();

create table balance (
  account_id bigint not null,
  debits bigint not null default 0,
  credits bigint not null default 0,
  deposited bigint not null default 0,
  refunded bigint not null default 0,
  captured bigint not null default 0,
  row_lock boolean,
  constraint balance_pkey primary key (account_id),
  constraint balance_account_id_fkey foreign key (account_id) references account(id),
  constraint balance_covers_debits check (credits >= debits),
  constraint balance_credits_check check (credits >= 0),
  constraint balance_debits_check check (debits >= 0)
) with (fillfactor=50);
create trigger balance_no_truncate before truncate on balance for each statement execute function refuse_change();
create trigger refuse_direct_balance_change before insert or delete or update on balance for each row execute function refuse_direct_balance_change();

create table balance_adjustment_request (
  id bigint not null generated always as identity,
  user_id bigint not null,
  difference bigint not null,
  reason text not null,
  state text not null default 'open',
  asked_by bigint not null,
  asked_at timestamptz not null default now(),
  decided_by bigint,
  decided_at timestamptz,
  constraint balance_adjustment_request_pkey primary key (id),
  constraint balance_adjustment_request_asked_by_fkey foreign key (asked_by) references app_user(id),
  constraint balance_adjustment_request_decided_by_fkey foreign key (decided_by) references app_user(id),
  constraint balance_adjustment_request_user_id_fkey foreign key (user_id) references app_user(id),
  constraint balance_adjustment_request_difference_check check (difference <> 0),
  constraint balance_adjustment_request_state_check check (state in ('open', 'confirmed', 'declined', 'replaced')),
  constraint balance_request_decided check (((state = 'open') = (decided_at is null)) and ((state in ('confirmed', 'declined')) = (decided_by is not null))),
  constraint balance_request_not_own check ((user_id <> asked_by) and (user_id is distinct from decided_by)),
  constraint balance_request_two_administrators check (decided_by is distinct from asked_by)
);
create index balance_request_confirmed on balance_adjustment_request (asked_by, decided_at) where (state = 'confirmed');
create unique index balance_request_open on balance_adjustment_request (user_id, asked_by) where (state = 'open');

create table batch (
  id bigint not null generated always as identity,
  user_id bigint not null,
  status text,
  content_hash text,
  total_count int not null default 0,
  cost_cents bigint not null default 0,
  submission int not null default 0,
  processed_count int not null default 0,
  failed_count int not null default 0,
  file_key uuid not null default gen_random_uuid(),
  pdf_name text,
  result_name text,
  confirm_name text,
  files_stale boolean not null default false,
  change_count int not null default 0,
  files_problem text,
  files_problem_at timestamptz,
  work_lease_until timestamptz,
  only_unknown_since timestamptz,
  retried_at timestamptz,
  created_at timestamptz not null default now(),
  accepted_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  file_name text,
  file_hash text,
  file_source text,
  api_key_id bigint,
  constraint batch_pkey primary key (id),
  constraint batch_api_key_id_fkey foreign key (api_key_id) references api_key(id),
  constraint batch_user_id_fkey foreign key (user_id) references app_user(id),
  constraint batch_accepted_with_status check ((status is null) = (accepted_at is null)),
  constraint batch_file_whole check (((file_name is null) = (file_hash is null)) and ((file_name is null) = (file_source is null))),
  constraint batch_status_check check (status in ('processing', 'generating_files', 'retrying_failed', 'completed', 'completed_with_errors', 'failed', 'processing_error', 'retry_processing_error'))
);
create index batch_files_problem on batch (id) where (files_problem is not null);
create index batch_in_progress on batch (id) where ((status in ('processing', 'generating_files', 'retrying_failed')) or files_stale);
create index batch_of_file on batch (user_id, file_hash, id) where (file_hash is not null);
create index batch_of_user on batch (user_id, id) where (status is not null);
create index batch_unused on batch (user_id, id) where (status is null);

create table bought_before_restore (
  order_id bigint not null,
  next_check_at timestamptz not null default clock_timestamp(),
  constraint bought_before_restore_pkey primary key (order_id),
  constraint bought_before_restore_order_id_fkey foreign key (order_id) references shipment_order(id)
);
create index bought_before_restore_due on bought_before_restore (next_check_at);

create table carrier_account_progress (
  only_row boolean not null default true,
  last_transfer_id bigint not null,
  constraint carrier_account_progress_pkey primary key (only_row),
  constraint carrier_account_progress_only_row_check check (only_row)
);

create table carrier_account_sum (
  account text not null,
  period_start timestamptz not null,
  labels int not null,
  cost_cents bigint not null,
  refunded_cost_cents bigint not null,
  constraint carrier_account_sum_pkey primary key (account, period_start)
);

create table carrier_adjustment (
  id bigint not null generated always as identity,
  line_key text not null,
  file_name text not null,
  carrier text not null,
  tracking_number text not null,
  amount_cents bigint not null,
  line_cents bigint not null,
  is_total boolean not null,
  reported_on date,
  adjusted_on date,
  reason text not null,
  declared jsonb not null,
  measured jsonb not null,
  order_id bigint,
  user_id bigint,
  carrier_account text,
  passed_cents bigint,
  rule text,
  limit_cents bigint,
  was_voided boolean not null default false,
  dispute text,
  disputed_at timestamptz,
  dispute_answer text,
  answered_at timestamptz,
  credited_back_at timestamptz,
  credited_back_cents bigint not null default 0,
  decided_by bigint,
  applied_by bigint not null,
  created_at timestamptz not null default now(),
  constraint carrier_adjustment_pkey primary key (id),
  constraint carrier_adjustment_line_key_key unique (line_key),
  constraint carrier_adjustment_applied_by_fkey foreign key (applied_by) references app_user(id),
  constraint carrier_adjustment_decided_by_fkey foreign key (decided_by) references app_user(id),
  constraint carrier_adjustment_order_id_fkey foreign key (order_id) references shipment_order(id),
  constraint carrier_adjustment_user_id_fkey foreign key (user_id) references app_user(id),
  constraint carrier_adjustment_dispute check ((dispute is null) = (disputed_at is null)),
  constraint carrier_adjustment_matched check (((order_id is null) = (user_id is null)) and ((order_id is null) = (passed_cents is null))),
  constraint carrier_adjustment_reported check (is_total = (reported_on is not null)),
  constraint carrier_adjustment_rule_check check (rule in ('pass_on', 'absorb', 'limit'))
);
create index carrier_adjustment_disputed on carrier_adjustment (id) where ((dispute is not null) and (answered_at is null) and (credited_back_at is null));
create index carrier_adjustment_of_order on carrier_adjustment (order_id, id) where (order_id is not null);
create index carrier_adjustment_of_user on carrier_adjustment (user_id, id desc) where (passed_cents <> 0);
create index carrier_adjustment_unmatched on carrier_adjustment (id) where (order_id is null);

create table carrier_budget (
  account text not null,
  tokens float8 not null,
  filled_at timestamptz not null default clock_timestamp(),
  paused_until timestamptz,
  pause_reason text,
  paused_since timestamptz,
  waits_for_administrator boolean not null default false,
  losses_since timestamptz,
  silent_until timestamptz,
  constraint carrier_budget_pkey primary key (account),
  constraint carrier_budget_pause check ((pause_reason is null) = (paused_since is null)),
  constraint carrier_budget_wait check ((not waits_for_administrator) or (pause_reason is not null))
);

create table carrier_call (
  id bigint not null generated always as identity,
  order_id bigint not null,
  act text not null default 'buy',
  round int not null,
  attempt int not null,
  fence int not null,
  account text,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  outcome text,
  code text,
  message text,
  constraint carrier_call_act_check check (act in ('buy', 'void')),
  constraint carrier_call_outcome_check check (outcome in ('bought', 'permanent', 'retryable', 'unknown', 'account', 'voided', 'submitted'))
) partition by range (started_at);

create table carrier_label_file (
  order_id bigint not null,
  format text not null default 'pdf',
  state text not null default 'pending',
  attempt int not null default 0,
  run_after timestamptz not null default clock_timestamp(),
  problem text,
  file_name text,
  mime text,
  bytes bigint,
  sha256 text,
  stored_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  constraint carrier_label_file_pkey primary key (order_id, format),
  constraint carrier_label_file_order_id_fkey foreign key (order_id) references shipment_order(id),
  constraint carrier_label_file_format_check check (format in ('pdf', 'png', 'zpl')),
  constraint carrier_label_file_mime_check check (mime in ('application/pdf', 'image/png', 'application/zpl')),
  constraint carrier_label_file_state_check check (state in ('pending', 'stored', 'unavailable')),
  constraint carrier_label_file_stored check ((state = 'stored') = ((file_name is not null) and (mime is not null) and (bytes is not null) and (sha256 is not null) and (stored_at is not null)))
);
create index carrier_label_file_pending on carrier_label_file (format, run_after) where (state = 'pending');

create table carrier_message (
  account text not null,
  last_at timestamptz not null,
  messages bigint not null,
  constraint carrier_message_pkey primary key (account),
  constraint carrier_message_messages_check check (messages > 0)
);

create table carrier_note (
  reference text not null,
  round int not null,
  account text not null default '',
  upstream_ref text not null,
  buy_requested_at timestamptz,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint carrier_note_pkey primary key (reference, round, account)
);

create table carrier_quote (
  account text not null,
  parcel text not null,
  cost_cents bigint,
  reason text,
  attempt int not null default 1,
  asked_by bigint not null,
  asked_at timestamptz not null,
  asking_until timestamptz,
  answered_at timestamptz,
  expires_at timestamptz,
  constraint carrier_quote_pkey primary key (account, parcel),
  constraint carrier_quote_cost_cents_check check (cost_cents >= 0)
);
create index carrier_quote_asked_at on carrier_quote (asked_at);
create index carrier_quote_asked_by on carrier_quote (asked_by, asked_at);

create table commit_mark (
  process uuid not null,
  beats bigint not null default 1,
  beat_at timestamptz not null default clock_timestamp(),
  is_synchronous boolean not null,
  compared_on text,
  is_complete boolean,
  lost_ms bigint,
  constraint commit_mark_pkey primary key (process)
);

create table cost_version (
  id bigint not null generated always as identity,
  default_id bigint not null,
  version int not null,
  ranges jsonb not null,
  price_table jsonb,
  change_id bigint not null,
  created_at timestamptz not null default now(),
  constraint cost_version_pkey primary key (id),
  constraint cost_version_default_id_version_key unique (default_id, version),
  constraint cost_version_change_id_fkey foreign key (change_id) references price_change(id),
  constraint cost_version_default_id_fkey foreign key (default_id) references default_service(id),
  constraint cost_version_version_check check (version >= 1)
);
create trigger cost_version_immutable before delete or update on cost_version for each row execute function refuse_change();

create table customer_sum (
  days smallint not null,
  period_start timestamptz not null,
  user_id bigint not null,
  labels int not null,
  charged_cents bigint not null,
  cost_cents bigint not null,
  voided int not null,
  refunded_cents bigint not null,
  refunded_cost_cents bigint not null,
  constraint customer_sum_pkey primary key (days, period_start, user_id),
  constraint customer_sum_days_check check (days in (1, 16))
);
create index customer_sum_largest on customer_sum (period_start, charged_cents, user_id) where (days = 16);
create index customer_sum_largest_of_day on customer_sum (period_start, charged_cents, user_id) where (days = 1);

create table default_service (
  id bigint not null generated always as identity,
  uid text not null,
  name text not null,
  category text not null default 'Other',
  max_weight int not null default 70,
  offered boolean not null default true,
  enabled boolean not null default true,
  position int not null default 0,
  max_loss_cents bigint,
  constraint default_service_pkey primary key (id),
  constraint default_service_uid_key unique (uid),
  constraint default_service_max_loss_cents_check check (max_loss_cents >= 0),
  constraint default_service_max_weight_check check (max_weight > 0)
);

create table destination_sum (
  user_id bigint not null,
  days smallint not null,
  period_start timestamptz not null,
  state text not null,
  labels int not null,
  constraint destination_sum_pkey primary key (user_id, days, period_start, state),
  constraint destination_sum_days_check check (days in (0, 1))
);

create table email_change (
  id bigint not null generated always as identity,
  user_id bigint not null,
  old_email text,
  old_email_key text,
  new_email text not null,
  state text not null default 'open',
  session_id bigint not null,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  constraint email_change_pkey primary key (id),
  constraint email_change_user_id_fkey foreign key (user_id) references app_user(id),
  constraint email_change_done check ((state <> 'done') or (done_at is not null)),
  constraint email_change_old check ((old_email is null) = (old_email_key is null)),
  constraint email_change_state_check check (state in ('open', 'done', 'canceled', 'undone'))
);
create index email_change_of_user on email_change (user_id);
create unique index email_change_open on email_change (user_id) where (state = 'open');
create index email_change_reserves on email_change (old_email_key) where (state = 'done');

create table email_link (
  token_hash bytea not null,
  user_id bigint not null,
  purpose text not null,
  change_id bigint,
  email_key text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint email_link_pkey primary key (token_hash),
  constraint email_link_change_id_fkey foreign key (change_id) references email_change(id) on delete cascade,
  constraint email_link_user_id_fkey foreign key (user_id) references app_user(id),
  constraint email_link_change check ((purpose = 'verify') = (change_id is null)),
  constraint email_link_purpose_check check (purpose in ('verify', 'change', 'undo'))
);
create index email_link_change on email_link (change_id) where (change_id is not null);
create index email_link_of_user on email_link (user_id);

create table evidence_retention (
  is_only boolean not null default true,
  months int not null,
  set_at timestamptz not null default now(),
  constraint evidence_retention_pkey primary key (is_only),
  constraint evidence_retention_is_only_check check (is_only),
  constraint evidence_retention_months_check check (months >= 13)
);

create table failure_sum (
  period_start timestamptz not null,
  reason text not null,
  labels int not null,
  constraint failure_sum_pkey primary key (period_start, reason)
);

create table import_grouping (
  user_id bigint not null,
  source text not null,
  grouped_by text not null,
  constraint import_grouping_pkey primary key (user_id, source),
  constraint import_grouping_user_id_fkey foreign key (user_id) references app_user(id),
  constraint import_grouping_grouped_by_check check (grouped_by in ('line', 'order', 'address'))
);

create table import_mapping (
  user_id bigint not null,
  fingerprint text not null,
  name text not null,
  mapping jsonb not null,
  used_at timestamptz not null default clock_timestamp(),
  constraint import_mapping_pkey primary key (user_id, fingerprint),
  constraint import_mapping_user_id_fkey foreign key (user_id) references app_user(id),
  constraint import_mapping_fingerprint_check check (fingerprint ~ '^[0-9a-f]{64}$')
);

create table invoice (
  id bigint not null generated always as identity,
  user_id bigint not null,
  provider text not null,
  reference uuid not null default gen_random_uuid(),
  external_id text,
  creating_until timestamptz,
  create_attempts int not null default 0,
  status text not null default 'New',
  additional_status text not null default 'None',
  paid_cents bigint not null default 0,
  confirmed_cents bigint not null default 0,
  credited_cents bigint not null default 0,
  credit_count int not null default 0,
  reversed_cents bigint not null default 0,
  reversal_count int not null default 0,
  needs_review boolean not null default false,
  reviewed_state text,
  checkout_link text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  settled_at timestamptz,
  lost_at timestamptz,
  synced_at timestamptz,
  last_lookup bigint not null default 0,
  next_lookup_at timestamptz default (now() + '00:01:00'),
  requested_cents bigint,
  constraint invoice_pkey primary key (id),
  constraint invoice_provider_external_id_key unique (provider, external_id),
  constraint invoice_reference_key unique (reference),
  constraint invoice_user_id_fkey foreign key (user_id) references app_user(id),
  constraint invoice_additional_status_check check (additional_status in ('None', 'PaidLate', 'PaidPartial', 'Marked', 'PaidOver', 'Invalid')),
  constraint invoice_confirmed_cents_check check (confirmed_cents >= 0),
  constraint invoice_credit_is_paid check (((credited_cents - reversed_cents) <= greatest(paid_cents, confirmed_cents)) or needs_review or (reviewed_state is not null)),
  constraint invoice_credited_cents_check check (credited_cents >= 0),
  constraint invoice_paid_cents_check check (paid_cents >= 0),
  constraint invoice_provider_check check (provider in ('sandbox', 'btcpay')),
  constraint invoice_requested_cents_check check (requested_cents > 0),
  constraint invoice_reversal_is_credited check ((reversed_cents >= 0) and (reversed_cents <= credited_cents)),
  constraint invoice_status_check check (status in ('New', 'Processing', 'Settled', 'Expired', 'Invalid'))
);
create index invoice_due on invoice (next_lookup_at) where (next_lookup_at is not null);
create index invoice_of_user on invoice (user_id, id desc);
create unique index invoice_one_open on invoice (user_id) where ((status = 'New') and (paid_cents = 0));
create index invoice_pending_credit on invoice (id) where ((status in ('New', 'Processing', 'Settled')) and (paid_cents > credited_cents) and (not needs_review));
create index invoice_review on invoice (id) where needs_review;
create index invoice_to_schedule on invoice (id) where ((next_lookup_at is null) and (external_id is not null));

create table known_network (
  user_id bigint not null,
  network_hash bytea not null,
  last_used_at timestamptz not null default now(),
  constraint known_network_pkey primary key (user_id, network_hash),
  constraint known_network_user_id_fkey foreign key (user_id) references app_user(id)
);

create table label_archive (
  is_only boolean not null default true,
  months int,
  set_at timestamptz not null default now(),
  after_id bigint not null default 0,
  pass_began_at timestamptz not null default now(),
  complete_at timestamptz,
  constraint label_archive_pkey primary key (is_only),
  constraint label_archive_is_only_check check (is_only),
  constraint label_archive_months_check check ((months >= 13) and (months <= 1200))
);

create table label_file (
  name text not null,
  user_id bigint not null,
  batch_id bigint,
  kind text not null,
  bytes bigint not null,
  sha256 text not null,
  created_at timestamptz not null default now(),
  constraint label_file_pkey primary key (name),
  constraint label_file_batch_id_fkey foreign key (batch_id) references batch(id),
  constraint label_file_user_id_fkey foreign key (user_id) references app_user(id),
  constraint label_file_kind_check check (kind in ('pdf', 'result-csv', 'auto-csv'))
);
create index label_file_of_batch on label_file (batch_id);

create table ledger_sum (
  period_start timestamptz not null,
  kind text not null,
  transfers bigint not null,
  cents bigint not null,
  cost_cents bigint not null,
  last_transfer_id bigint not null,
  constraint ledger_sum_pkey primary key (period_start, kind),
  constraint ledger_sum_kind_fkey foreign key (kind) references transfer_rule(kind)
);
create index ledger_sum_last on ledger_sum (last_transfer_id);

create table ledger_total (
  kind text not null,
  cents bigint not null,
  last_transfer_id bigint not null,
  constraint ledger_total_pkey primary key (kind),
  constraint ledger_total_kind_fkey foreign key (kind) references transfer_rule(kind)
);

create table login_challenge (
  hash bytea not null,
  user_id bigint not null,
  kind text not null,
  password_mark bytea,
  sealed_secret bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint login_challenge_pkey primary key (hash),
  constraint login_challenge_user_id_fkey foreign key (user_id) references app_user(id),
  constraint login_challenge_kind_check check (kind in ('login', 'proof', 'totp', 'passkey', 'passkey-login'))
);
create index login_challenge_of_user on login_challenge (user_id, kind);
create unique index login_challenge_one_totp on login_challenge (user_id) where (kind = 'totp');

create table login_session (
  id bigint not null generated always as identity,
  user_id bigint not null,
  token_hash bytea not null,
  download_hash bytea not null,
  kind text not null default 'normal',
  impersonator_id bigint,
  parent_session_id bigint,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  proven_at timestamptz not null default now(),
  constraint login_session_pkey primary key (id),
  constraint login_session_download_hash_key unique (download_hash),
  constraint login_session_token_hash_key unique (token_hash),
  constraint login_session_impersonator_id_fkey foreign key (impersonator_id) references app_user(id),
  constraint login_session_user_id_fkey foreign key (user_id) references app_user(id),
  constraint login_session_impersonator check ((kind = 'impersonation') = (impersonator_id is not null)),
  constraint login_session_kind_check check (kind in ('normal', 'impersonation'))
);
create index login_session_of_user on login_session (user_id);
create index login_session_parent on login_session (parent_session_id) where (parent_session_id is not null);

create table mail (
  id bigint not null generated always as identity,
  message_id uuid not null,
  kind text not null,
  user_id bigint,
  sealed bytea,
  written boolean not null,
  recipient_hash text,
  recipient_hint text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until timestamptz,
  problem text,
  ended_at timestamptz,
  outcome text,
  constraint mail_pkey primary key (id),
  constraint mail_message_id_key unique (message_id),
  constraint mail_ended check ((ended_at is null) = (outcome is null)),
  constraint mail_outcome_check check (outcome in ('sent', 'refused', 'expired', 'canceled', 'replaced', 'unreadable')),
  constraint mail_problem_check check (problem in ('unreachable', 'signin', 'sender', 'busy', 'refused', 'disk', 'unreadable', 'error')),
  constraint mail_sent_is_erased check ((outcome is distinct from 'sent') or ((sealed is null) and (recipient_hint is null))),
  constraint mail_waits_with_content check ((ended_at is not null) or (sealed is not null))
);
create index mail_due on mail (written, next_attempt_at) where (ended_at is null);
create index mail_ended_at on mail (ended_at) where (ended_at is not null);
create index mail_of_recipient on mail (recipient_hash, kind, id) where (ended_at is null);

create table movement_count (
  owner_id bigint not null,
  last_transfer_id bigint not null default 0,
  counts jsonb not null default '{}',
  constraint movement_count_pkey primary key (owner_id)
);

create table open_carrier_call (
  order_id bigint not null,
  round int not null,
  attempt int not null,
  fence int not null,
  account text not null,
  started_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null,
  constraint open_carrier_call_pkey primary key (order_id)
) with (autovacuum_vacuum_threshold=1000, autovacuum_vacuum_scale_factor=0);

create table option_price_version (
  id bigint not null generated always as identity,
  default_id bigint not null,
  version int not null,
  cents jsonb not null,
  set_by bigint not null,
  created_at timestamptz not null default now(),
  constraint option_price_version_pkey primary key (id),
  constraint option_price_version_default_id_version_key unique (default_id, version),
  constraint option_price_version_default_id_fkey foreign key (default_id) references default_service(id),
  constraint option_price_version_set_by_fkey foreign key (set_by) references app_user(id),
  constraint option_price_version_version_check check (version > 0)
);
create trigger option_price_version_immutable before delete or update on option_price_version for each row execute function refuse_change();

create table order_item (
  user_id bigint not null,
  reference text not null,
  item_ref text,
  order_id bigint not null,
  placed_at timestamptz not null
);
create index order_item_reference on order_item (user_id, reference);
create trigger order_item_immutable before delete or update on order_item for each row execute function refuse_change();

create table order_list_entry (
  user_id bigint not null,
  position int not null,
  order_id bigint not null,
  placed_at timestamptz not null,
  reference text,
  search_words tsvector not null,
  constraint order_list_entry_pkey primary key (user_id, "position")
);
create index order_list_entry_of_order on order_list_entry (user_id, order_id);
create index order_list_entry_order on order_list_entry (user_id, replace(reference, '#', '')) where (reference is not null);
create index order_list_entry_reference on order_list_entry (reference text_pattern_ops) where (reference is not null);
create index order_list_entry_words on order_list_entry using gin (search_words);
create trigger order_list_entry_immutable before delete or update on order_list_entry for each row execute function refuse_change();

create table order_request (
  user_id bigint not null,
  key text not null,
  body_hash text not null,
  order_id bigint not null,
  created_at timestamptz not null default now(),
  constraint order_request_pkey primary key (user_id, key),
  constraint order_request_order_id_fkey foreign key (order_id) references shipment_order(id),
  constraint order_request_user_id_fkey foreign key (user_id) references app_user(id)
);
create index order_request_age on order_request (created_at);

create table outbox (
  id bigint not null generated always as identity,
  message_id uuid not null default gen_random_uuid(),
  user_id bigint not null,
  type text not null,
  data jsonb not null,
  is_bulk_row boolean not null,
  at timestamptz not null default clock_timestamp(),
  constraint outbox_pkey primary key (id)
);
create index outbox_of_bulk_rows on outbox (id) where is_bulk_row;
create index outbox_of_others on outbox (id) where (not is_bulk_row);

create table outbox_subscription (
  user_id bigint not null,
  type text not null,
  bulk_rows boolean not null,
  constraint outbox_subscription_pkey primary key (user_id, type)
);

create table owed_charge (
  id bigint not null generated always as identity,
  owner_id bigint not null,
  order_id bigint not null,
  subject text not null,
  reason text not null,
  cents bigint not null,
  collected_cents bigint not null default 0,
  waived_cents bigint not null default 0,
  returned_cents bigint not null default 0,
  collections int not null default 0,
  created_at timestamptz not null default now(),
  constraint owed_charge_pkey primary key (id),
  constraint owed_charge_subject_key unique (subject),
  constraint owed_charge_owner_id_fkey foreign key (owner_id) references app_user(id),
  constraint owed_charge_cents_check check (cents > 0),
  constraint owed_charge_collected_cents_check check (collected_cents >= 0),
  constraint owed_charge_not_exceeded check ((collected_cents + waived_cents) <= cents),
  constraint owed_charge_returned check ((returned_cents >= 0) and (returned_cents <= collected_cents)),
  constraint owed_charge_waived_cents_check check (waived_cents >= 0)
);
create index owed_charge_waiting on owed_charge (owner_id, id) where ((collected_cents + waived_cents) < cents);

create table parcel_event (
  order_id bigint not null,
  at timestamptz not null,
  status text not null,
  text text not null,
  place text not null,
  constraint parcel_event_pkey primary key (order_id, at, text),
  constraint parcel_event_order_id_fkey foreign key (order_id) references shipment_order(id),
  constraint parcel_event_status check (status in ('unknown', 'pre_transit', 'in_transit', 'out_for_delivery', 'available_for_pickup', 'delivered', 'return_to_sender', 'failure', 'cancelled'))
) partition by range (at);

create table parcel_page_setting (
  user_id bigint not null,
  seller_name text not null,
  contact text not null,
  mails_receivers boolean not null,
  constraint parcel_page_setting_pkey primary key (user_id),
  constraint parcel_page_setting_user_id_fkey foreign key (user_id) references app_user(id),
  constraint parcel_page_setting_length check ((length(seller_name) <= 60) and (length(contact) <= 120))
);

create table parcel_tracking (
  order_id bigint not null,
  user_id bigint not null,
  status text not null default 'unknown',
  detail text,
  event_at timestamptz,
  last_checked_at timestamptz,
  attempt int not null default 0,
  next_check_at timestamptz default clock_timestamp(),
  auto_void_at timestamptz,
  void_check_at timestamptz,
  scanned_after_void_at timestamptz,
  told_at timestamptz,
  page_token text,
  expected_day date,
  constraint parcel_tracking_pkey primary key (order_id),
  constraint parcel_tracking_status_check check (status in ('unknown', 'pre_transit', 'in_transit', 'out_for_delivery', 'available_for_pickup', 'delivered', 'return_to_sender', 'failure', 'cancelled'))
);
create index parcel_tracking_auto_void on parcel_tracking (auto_void_at) where (auto_void_at is not null);
create index parcel_tracking_due on parcel_tracking (next_check_at) where (next_check_at is not null);
create unique index parcel_tracking_page on parcel_tracking (page_token) where (page_token is not null);
create index parcel_tracking_scanned on parcel_tracking (scanned_after_void_at) where (scanned_after_void_at is not null);
create index parcel_tracking_status on parcel_tracking (status, order_id);
create index parcel_tracking_status_of_user on parcel_tracking (user_id, status, order_id);
create index parcel_tracking_voided_due on parcel_tracking (void_check_at) where (void_check_at is not null);

create table password_reset (
  token_hash bytea not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint password_reset_pkey primary key (token_hash),
  constraint password_reset_user_id_fkey foreign key (user_id) references app_user(id)
);

create table postage_loss (
  order_id bigint not null,
  round int not null,
  account text not null,
  outcome text not null,
  price_cents bigint not null,
  cost_cents bigint not null,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint postage_loss_pkey primary key (order_id, round),
  constraint postage_loss_order_id_fkey foreign key (order_id) references shipment_order(id),
  constraint postage_loss_is_loss check (cost_cents > price_cents),
  constraint postage_loss_outcome_check check (outcome in ('refused', 'bought'))
);
create index postage_loss_recent on postage_loss (recorded_at);

create table price_change (
  id bigint not null generated always as identity,
  user_id bigint,
  request_key uuid not null,
  content jsonb not null,
  file_name text,
  reason text not null,
  state text not null,
  starts_at timestamptz not null,
  set_by bigint not null,
  ended_by bigint,
  ended_at timestamptz,
  failure text,
  created_at timestamptz not null default now(),
  kind text not null default 'prices',
  constraint price_change_pkey primary key (id),
  constraint price_change_request_key_key unique (request_key),
  constraint price_change_ended_by_fkey foreign key (ended_by) references app_user(id),
  constraint price_change_set_by_fkey foreign key (set_by) references app_user(id),
  constraint price_change_user_id_fkey foreign key (user_id) references app_user(id),
  constraint price_change_ended check ((state = 'scheduled') = (ended_at is null)),
  constraint price_change_failure check ((state = 'failed') = (failure is not null)),
  constraint price_change_kind check ((kind in ('prices', 'costs'))) not valid,
  constraint price_change_state_check check (state in ('scheduled', 'applied', 'canceled', 'failed'))
);
create index price_change_due on price_change (starts_at) where (state = 'scheduled');
create index price_change_of_user on price_change (user_id, id desc);

create table price_version (
  id bigint not null generated always as identity,
  default_id bigint,
  user_service_id bigint,
  version int not null,
  ranges jsonb not null,
  set_by bigint,
  created_at timestamptz not null default now(),
  price_table jsonb,
  change_id bigint,
  rule jsonb,
  cost_version_id bigint,
  constraint price_version_pkey primary key (id),
  constraint price_version_default_id_version_key unique (default_id, version),
  constraint price_version_user_service_id_version_key unique (user_service_id, version),
  constraint price_version_change_id_fkey foreign key (change_id) references price_change(id),
  constraint price_version_cost_version_id_fkey foreign key (cost_version_id) references cost_version(id),
  constraint price_version_default_id_fkey foreign key (default_id) references default_service(id),
  constraint price_version_set_by_fkey foreign key (set_by) references app_user(id),
  constraint price_version_user_service_id_fkey foreign key (user_service_id) references user_service(id),
  constraint price_version_of_one_service check ((default_id is null) <> (user_service_id is null)),
  constraint price_version_rule check ((((rule is null) = (cost_version_id is null)) or (rule @> '{"live": true}'))) not valid
);
create trigger price_version_immutable before delete or update on price_version for each row execute function refuse_change();

create table raw_service (
  uid text not null,
  name text not null,
  category text not null,
  max_weight int not null,
  last_offered_at timestamptz not null default now(),
  constraint raw_service_pkey primary key (uid),
  constraint raw_service_max_weight_check check (max_weight > 0)
);

create table receiver_mail (
  order_id bigint not null,
  kind text not null,
  user_id bigint not null,
  recipient_hash text,
  due_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  outcome text,
  constraint receiver_mail_pkey primary key (order_id, kind),
  constraint receiver_mail_order_id_fkey foreign key (order_id) references shipment_order(id),
  constraint receiver_mail_user_id_fkey foreign key (user_id) references app_user(id),
  constraint receiver_mail_decided check ((decided_at is null) = (outcome is null)),
  constraint receiver_mail_kind check (kind in ('on-the-way', 'delivered')),
  constraint receiver_mail_outcome check (outcome in ('mailed', 'stopped', 'limited', 'off')),
  constraint receiver_mail_recipient check ((outcome is null) or (outcome = 'off') or (recipient_hash is not null))
);
create index receiver_mail_due on receiver_mail (due_at) where (decided_at is null);
create index receiver_mail_of_recipient on receiver_mail (recipient_hash, decided_at) where (recipient_hash is not null);
create index receiver_mail_of_seller on receiver_mail (user_id, decided_at) where (outcome = 'mailed');

create table receiver_stop (
  recipient_hash text not null,
  stopped_at timestamptz not null default clock_timestamp(),
  constraint receiver_stop_pkey primary key (recipient_hash)
);

create table recovery_code (
  code_hash bytea not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  constraint recovery_code_pkey primary key (code_hash),
  constraint recovery_code_user_id_fkey foreign key (user_id) references app_user(id)
);
create index recovery_code_of_user on recovery_code (user_id);

create table repeatable_sql (
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  constraint repeatable_sql_pkey primary key (name)
);

create table report_progress (
  only_row boolean not null default true,
  last_transfer_id bigint not null,
  constraint report_progress_pkey primary key (only_row),
  constraint report_progress_only_row_check check (only_row)
);

create table sandbox_call_count (
  attempt_key text not null,
  refusals int not null,
  constraint sandbox_call_count_pkey primary key (attempt_key)
);

create table sandbox_invoice (
  id text not null,
  reference text not null,
  status text not null default 'New',
  additional_status text not null default 'None',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  requested_cents bigint,
  constraint sandbox_invoice_pkey primary key (id),
  constraint sandbox_invoice_requested_cents_check check (requested_cents > 0),
  constraint sandbox_invoice_status_check check (status in ('New', 'Processing', 'Settled', 'Expired', 'Invalid'))
);
create index sandbox_invoice_order on sandbox_invoice (reference);

create table sandbox_payment (
  id bigint not null generated always as identity,
  invoice_id text not null,
  cents bigint not null,
  late boolean not null,
  settled boolean not null default true,
  received_at timestamptz not null default now(),
  constraint sandbox_payment_pkey primary key (id),
  constraint sandbox_payment_invoice_id_fkey foreign key (invoice_id) references sandbox_invoice(id),
  constraint sandbox_payment_cents_check check (cents > 0)
);
create index sandbox_payment_invoice on sandbox_payment (invoice_id);

create table sandbox_purchase (
  attempt_key text not null,
  reference text not null,
  round int not null,
  tracking_number text not null,
  service_uid text not null,
  cost_cents bigint not null,
  request_hash text not null,
  command text,
  bought_at timestamptz not null default clock_timestamp(),
  voided_at timestamptz,
  constraint sandbox_purchase_pkey primary key (attempt_key),
  constraint sandbox_purchase_tracking_number_key unique (tracking_number)
);
create index sandbox_purchase_without_key on sandbox_purchase (reference) where (strpos(attempt_key, '~') > 0);

create table sandbox_scan_form (
  name text not null,
  tracking_numbers text[] not null,
  made_at timestamptz not null default now(),
  constraint sandbox_scan_form_pkey primary key (name)
);
create index sandbox_scan_form_numbers on sandbox_scan_form using gin (tracking_numbers);

create table saved_address (
  id bigint not null generated always as identity,
  user_id bigint not null,
  address_id text not null,
  name text not null,
  company text not null default '',
  phone text not null default '',
  street text not null,
  street2 text not null default '',
  city text not null,
  state text not null,
  zip text not null,
  country text not null default 'US',
  created_at timestamptz not null default now(),
  is_default boolean not null default false,
  constraint saved_address_pkey primary key (id),
  constraint saved_address_user_id_address_id_key unique (user_id, address_id),
  constraint saved_address_user_id_fkey foreign key (user_id) references app_user(id)
);
create unique index saved_address_default on saved_address (user_id) where is_default;

create table scan_form (
  id bigint not null generated always as identity,
  key uuid not null default gen_random_uuid(),
  user_id bigint not null,
  state text not null default 'asked',
  sender jsonb not null,
  day date not null,
  services jsonb not null,
  labels int not null,
  carrier_account text not null,
  requested_by bigint not null,
  fence int not null default 0,
  attempt int not null default 0,
  run_after timestamptz not null default now(),
  called_at timestamptz,
  upstream_ref text,
  awaits_file boolean not null default false,
  files text[] not null default '{}'[],
  problem text,
  made_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint scan_form_pkey primary key (id),
  constraint scan_form_key_key unique (key),
  constraint scan_form_requested_by_fkey foreign key (requested_by) references app_user(id),
  constraint scan_form_user_id_fkey foreign key (user_id) references app_user(id),
  constraint scan_form_awaits_file check ((not awaits_file) or (state = 'made')),
  constraint scan_form_labels_check check (labels > 0),
  constraint scan_form_made check ((state = 'made') = (made_at is not null)),
  constraint scan_form_state_check check (state in ('asked', 'made', 'failed', 'unknown'))
) with (fillfactor=70);
create index scan_form_due on scan_form (run_after) where ((state = 'asked') or awaits_file);
create index scan_form_of_user on scan_form (user_id, id desc);

create table schema_migration (
  number int not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  oldest_program int,
  constraint schema_migration_pkey primary key (number)
);

create table second_factor (
  id bigint not null generated always as identity,
  user_id bigint not null,
  kind text not null,
  name text not null,
  sealed_secret bytea,
  last_step bigint,
  credential_id bytea,
  public_key bytea,
  counter bigint,
  transports text[],
  host text,
  backed_up boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint second_factor_pkey primary key (id),
  constraint second_factor_credential_id_key unique (credential_id),
  constraint second_factor_user_id_fkey foreign key (user_id) references app_user(id),
  constraint second_factor_kind_check check (kind in ('totp', 'passkey')),
  constraint second_factor_of_kind check (
case kind
    when 'totp' then ((sealed_secret is not null) and (last_step is not null) and (credential_id is null))
    else ((credential_id is not null) and (public_key is not null) and (counter is not null) and (transports is not null) and (host is not null) and (sealed_secret is null))
end)
);
create index second_factor_of_user on second_factor (user_id, kind);

create table service_source (
  service_uid text not null,
  rank smallint not null,
  account_name text not null,
  constraint service_source_pkey primary key (service_uid, rank),
  constraint service_source_service_uid_account_name_key unique (service_uid, account_name),
  constraint service_source_account_name_check check (account_name ~ '^[a-z][a-z0-9]{0,19}$'),
  constraint service_source_rank_check check (rank in (1, 2))
);

create table shipment_order (
  id bigint not null generated always as identity,
  user_id bigint not null,
  batch_id bigint,
  row_no int,
  state text not null default 'queued',
  round int not null default 1,
  attempt int not null default 0,
  fence int not null default 0,
  lease_until timestamptz,
  run_after timestamptz not null default now(),
  price_cents bigint not null,
  manifested boolean not null default false,
  tracking_number text,
  cost_cents bigint,
  reason text,
  replaced_by bigint,
  queued_at timestamptz not null default now(),
  unknown_since timestamptz,
  purchased_at timestamptz,
  carrier_account text,
  answer_missing_at timestamptz,
  carrier_refusal text,
  void_requested_at timestamptz,
  void_requested_by bigint,
  void_attempt int not null default 0,
  void_reason text,
  void_submitted_at timestamptz,
  void_is_automatic boolean not null default false,
  voided_at timestamptz,
  created_at timestamptz not null default now(),
  api_key_id bigint,
  signature text not null default 'none',
  saturday boolean not null default false,
  options_cents bigint not null default 0,
  scan_form_id bigint,
  price_version_id bigint,
  void_confirmed_at timestamptz,
  refund_due_at timestamptz,
  quoted_cents bigint,
  quoted_at timestamptz,
  service_uid text not null,
  service_name text not null,
  sender jsonb not null,
  receiver jsonb not null,
  package jsonb not null,
  items jsonb,
  order_ref text,
  item_ref text,
  pdf_key uuid not null default gen_random_uuid(),
  constraint shipment_order_pkey primary key (id),
  constraint shipment_order_batch_id_row_no_key unique (batch_id, row_no),
  constraint shipment_order_api_key_id_fkey foreign key (api_key_id) references api_key(id),
  constraint shipment_order_batch_id_fkey foreign key (batch_id) references batch(id),
  constraint shipment_order_replaced_by_fkey foreign key (replaced_by) references batch(id),
  constraint shipment_order_scan_form_id_fkey foreign key (scan_form_id) references scan_form(id),
  constraint shipment_order_user_id_fkey foreign key (user_id) references app_user(id),
  constraint shipment_order_void_requested_by_fkey foreign key (void_requested_by) references app_user(id),
  constraint order_carrier_refusal_unknown check ((carrier_refusal is null) or (state = 'unknown')),
  constraint order_refund_due check (((void_confirmed_at is null) = (refund_due_at is null))) not valid,
  constraint order_row_of_batch check ((batch_id is null) = (row_no is null)),
  constraint order_tracking_number check ((state in ('purchased', 'voiding', 'voided')) = (tracking_number is not null)),
  constraint order_void_requested check ((state not in ('voiding', 'voided')) or (void_requested_at is not null)),
  constraint order_voided_at check ((state = 'voided') = (voided_at is not null)),
  constraint shipment_order_items_check check ((jsonb_array_length(items) >= 1) and (jsonb_array_length(items) <= 500)),
  constraint shipment_order_options_cents check (((options_cents >= 0) and (options_cents <= price_cents))) not valid,
  constraint shipment_order_price_cents_check check (price_cents >= 0),
  constraint shipment_order_signature check ((signature in ('none', 'signature', 'adult'))) not valid,
  constraint shipment_order_state_check check (state in ('queued', 'purchasing', 'unknown', 'purchased', 'failed', 'voiding', 'voided'))
) with (fillfactor=47);
create index order_exception on shipment_order (state, id) where (state in ('unknown', 'failed', 'voiding', 'voided'));
create index order_exception_of_user on shipment_order (user_id, state, id) where (state in ('unknown', 'failed', 'voiding', 'voided'));
create index order_label_of_service on shipment_order (user_id, service_uid, id) where (tracking_number is not null);
create index order_label_of_user on shipment_order (user_id, id) where (tracking_number is not null);
create index order_lease on shipment_order (lease_until) where (state = 'purchasing');
create index order_not_purchased on shipment_order (batch_id, row_no) where (state in ('failed', 'unknown'));
create index order_of_scan_form on shipment_order (scan_form_id) where (scan_form_id is not null);
create index order_queue on shipment_order (user_id, id) where (state = 'queued');
create index order_queue_tied on shipment_order (user_id, id) where ((state = 'queued') and (answer_missing_at is not null));
create index order_replaced on shipment_order (replaced_by) where (replaced_by is not null);
create index order_tracking_end on shipment_order (reverse(tracking_number) text_pattern_ops) where (tracking_number is not null);
create index order_unknown on shipment_order (run_after) where (state = 'unknown');
create index order_void_requested on shipment_order (user_id, void_requested_at desc, id desc) where (void_requested_at is not null);
create index order_voided_of_batch on shipment_order (batch_id) where ((state = 'voided') and (batch_id is not null));
create index order_voiding on shipment_order (run_after) where (state = 'voiding');
create index order_without_scan_form on shipment_order (user_id, purchased_at) where ((state = 'purchased') and (scan_form_id is null));
create trigger refuse_order_delete before delete on shipment_order for each row execute function refuse_order_delete();
create trigger refuse_order_transition after update of state, round, fence, user_id, price_cents on shipment_order for each row when (((new.user_id <> old.user_id) or (new.price_cents <> old.price_cents) or (new.round < old.round) or (new.fence < old.fence) or ((new.state = old.state) and (new.round <> old.round)) or ((new.state <> old.state) and ((new.round <> (old.round + ((old.state = 'failed'))::int)) or ((((((((((((((((old.state <> 'queued') or (new.state <> 'purchasing')) and ((old.state <> 'queued') or (new.state <> 'purchased'))) and ((old.state <> 'queued') or (new.state <> 'failed'))) and ((old.state <> 'queued') or (new.state <> 'unknown'))) and ((old.state <> 'purchasing') or (new.state <> 'purchased'))) and ((old.state <> 'purchasing') or (new.state <> 'failed'))) and ((old.state <> 'purchasing') or (new.state <> 'queued'))) and ((old.state <> 'purchasing') or (new.state <> 'unknown'))) and ((old.state <> 'unknown') or (new.state <> 'purchased'))) and ((old.state <> 'unknown') or (new.state <> 'failed'))) and ((old.state <> 'unknown') or (new.state <> 'queued'))) and ((old.state <> 'failed') or (new.state <> 'queued'))) and ((old.state <> 'purchased') or (new.state <> 'voiding'))) and ((old.state <> 'voiding') or (new.state <> 'voided'))) and ((old.state <> 'voiding') or (new.state <> 'purchased'))) or ((old.state = 'queued') and (new.fence = old.fence)))))) execute function refuse_order_transition();
create trigger refuse_order_truncate before truncate on shipment_order for each statement execute function refuse_change();

create table sku (
  id bigint not null generated always as identity,
  user_id bigint not null,
  sku text not null,
  max_qty int not null,
  weight_lb numeric(10,4) not null,
  length_in numeric(10,4) not null,
  width_in numeric(10,4) not null,
  height_in numeric(10,4) not null,
  description text not null default '',
  constraint sku_pkey primary key (id),
  constraint sku_user_id_sku_key unique (user_id, sku),
  constraint sku_user_id_fkey foreign key (user_id) references app_user(id),
  constraint sku_height_in_check check (height_in > (0)::numeric),
  constraint sku_length_in_check check (length_in > (0)::numeric),
  constraint sku_max_qty_check check (max_qty > 0),
  constraint sku_weight_lb_check check (weight_lb > (0)::numeric),
  constraint sku_width_in_check check (width_in > (0)::numeric)
);

create table throttle (
  key text not null,
  hits int not null,
  resets_at timestamptz not null,
  constraint throttle_pkey primary key (key)
);
create index throttle_resets on throttle (resets_at);

create table trade_sum (
  period_start timestamptz not null,
  service_uid text not null,
  labels int not null,
  charged_cents bigint not null,
  cost_cents bigint not null,
  voided int not null,
  refunded_cents bigint not null,
  refunded_cost_cents bigint not null,
  constraint trade_sum_pkey primary key (period_start, service_uid)
);

create table transfer (
  id bigint not null generated always as identity,
  owner_id bigint not null,
  kind text not null,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  cents bigint not null,
  key text not null,
  order_id bigint,
  batch_id bigint,
  round int,
  invoice_id bigint,
  actor_id bigint,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  constraint transfer_pkey primary key (id),
  constraint transfer_key unique (owner_id, key),
  constraint adjustment_has_actor check ((kind not in ('adjust_up', 'adjust_down')) or ((actor_id is not null) and (length(reason) > 0))),
  constraint adjustment_has_reason check ((kind not in ('adjust_up', 'adjust_down')) or (reason is not null)),
  constraint carrier_adjustment_of_order check (((kind not in ('carrier_charge', 'carrier_credit', 'carrier_cost', 'carrier_cost_back')) or (order_id is not null))) not valid,
  constraint deposit_of_invoice check ((kind <> 'deposit') or (invoice_id is not null)),
  constraint refund_of_order check ((kind <> 'refund') or (order_id is not null)),
  constraint reversal_of_invoice check ((kind <> 'reversal') or ((invoice_id is not null) and (actor_id is not null) and (order_id is null))),
  constraint settlement_of_round check ((kind not in ('capture', 'release')) or ((order_id is not null) and (round is not null))),
  constraint transfer_cents_check check (cents >= 0),
  constraint transfer_two_accounts check (debit_account_id <> credit_account_id),
  constraint transfer_zero_by_kind check ((cents > 0) or (kind in ('hold', 'release', 'capture', 'refund')))
);
create index transfer_adjusted_by on transfer (actor_id, created_at) include (cents) where (kind in ('adjust_up', 'adjust_down'));
create index transfer_movements on transfer (owner_id, id) include (kind, cents) where (kind <> 'capture');
create unique index transfer_one_capture on transfer (order_id) where (kind = 'capture');
create unique index transfer_one_refund on transfer (order_id) where (kind = 'refund');
create unique index transfer_one_settlement on transfer (order_id, round) where (kind in ('capture', 'release'));
create trigger apply_transfers_to_balances after insert on transfer referencing new table as added for each statement execute function apply_transfers_to_balances();
create trigger transfer_immutable before delete or update on transfer for each row execute function refuse_change();
create trigger transfer_no_truncate before truncate on transfer for each statement execute function refuse_change();

create table transfer_rule (
  kind text not null,
  debit_kind text not null,
  credit_kind text not null,
  constraint transfer_rule_pkey primary key (kind)
);
create trigger transfer_rule_immutable before delete or update on transfer_rule for each row execute function refuse_change();
create trigger transfer_rule_no_truncate before truncate on transfer_rule for each statement execute function refuse_change();

create table user_order_count (
  user_id bigint not null,
  orders int not null,
  constraint user_order_count_pkey primary key (user_id),
  constraint user_order_count_user_id_fkey foreign key (user_id) references app_user(id)
) with (fillfactor=50);

create table user_service (
  id bigint not null generated always as identity,
  user_id bigint not null,
  default_id bigint not null,
  name text not null,
  enabled boolean not null,
  active boolean not null default true,
  constraint user_service_pkey primary key (id),
  constraint user_service_user_id_default_id_key unique (user_id, default_id),
  constraint user_service_default_id_fkey foreign key (default_id) references default_service(id),
  constraint user_service_user_id_fkey foreign key (user_id) references app_user(id)
);

create table user_sum (
  user_id bigint not null,
  period_start timestamptz not null,
  service_uid text not null,
  service_name text not null,
  labels int not null,
  charged_cents bigint not null,
  cost_cents bigint not null,
  voided int not null,
  refunded_cents bigint not null,
  refunded_cost_cents bigint not null,
  deposited_cents bigint not null,
  available_cents bigint not null,
  held_cents bigint not null,
  constraint user_sum_pkey primary key (user_id, period_start, service_uid)
);
create index user_sum_period on user_sum (period_start);

create table wallet_figure (
  owner_id bigint not null,
  available_cents bigint not null default 0,
  deposited_cents bigint not null default 0,
  spent_cents bigint not null default 0,
  constraint wallet_figure_pkey primary key (owner_id),
  constraint wallet_figure_owner_id_fkey foreign key (owner_id) references app_user(id)
);
create index wallet_figure_available on wallet_figure (available_cents, owner_id);
create index wallet_figure_deposited on wallet_figure (deposited_cents, owner_id);
create index wallet_figure_spent on wallet_figure (spent_cents, owner_id);

create table wallet_figure_progress (
  only_row boolean not null default true,
  last_transfer_id bigint not null,
  constraint wallet_figure_progress_pkey primary key (only_row),
  constraint wallet_figure_progress_only_row_check check (only_row)
);

create table webhook_delivery (
  id bigint not null generated always as identity,
  endpoint_id bigint not null,
  message_id uuid not null,
  type text not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  state text not null,
  tries int not null default 0,
  next_try_at timestamptz,
  constraint webhook_delivery_pkey primary key (id),
  constraint webhook_delivery_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoint(id),
  constraint webhook_delivery_next check ((state = 'waiting') = (next_try_at is not null)),
  constraint webhook_delivery_state check (state in ('waiting', 'once', 'delivered', 'failed', 'canceled'))
);
create index webhook_delivery_by_age on webhook_delivery (created_at);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_try_at) where (state = 'waiting');
create index webhook_delivery_of_endpoint on webhook_delivery (endpoint_id, id desc);
create index webhook_delivery_of_message on webhook_delivery (message_id);
create index webhook_delivery_once on webhook_delivery (created_at) where (state = 'once');
create index webhook_delivery_waiting on webhook_delivery (created_at) where (state = 'waiting');

create table webhook_endpoint (
  id bigint not null generated always as identity,
  user_id bigint not null,
  url text not null,
  format text not null,
  types text[] not null,
  bulk_rows boolean not null,
  enabled boolean not null default true,
  off_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  failing_since timestamptz,
  failures_in_row int not null default 0,
  paused_until timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  fence int not null default 0,
  constraint webhook_endpoint_pkey primary key (id),
  constraint webhook_endpoint_user_id_fkey foreign key (user_id) references app_user(id),
  constraint webhook_endpoint_format check (format in ('standard', 'easypost')),
  constraint webhook_endpoint_off check (enabled = (off_reason is null)),
  constraint webhook_endpoint_off_reason check (off_reason in ('user', 'gone', 'dead')),
  constraint webhook_endpoint_previous check ((previous_secret is null) = (previous_secret_until is null))
);
create index webhook_endpoint_deleted on webhook_endpoint (id) where (deleted_at is not null);
create index webhook_endpoint_due on webhook_endpoint (due_at) where ((due_at is not null) and enabled and (deleted_at is null));
create index webhook_endpoint_of_user on webhook_endpoint (user_id) where (deleted_at is null);

create table webhook_inbox (
  provider text not null,
  delivery_id text not null,
  body bytea not null,
  invoice_ref text not null default '',
  reference uuid,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  attempts int not null default 0,
  retry_at timestamptz not null default now(),
  constraint webhook_inbox_pkey primary key (provider, delivery_id)
);
create index webhook_pending on webhook_inbox (retry_at) where (handled_at is null);
create index webhook_received on webhook_inbox (received_at);

create table webhook_try (
  id bigint not null generated always as identity,
  delivery_id bigint not null,
  is_replay boolean not null,
  at timestamptz not null,
  duration_ms int not null,
  outcome text not null,
  status int,
  answer text,
  constraint webhook_try_pkey primary key (id),
  constraint webhook_try_delivery_id_fkey foreign key (delivery_id) references webhook_delivery(id) on delete cascade,
  constraint webhook_try_answer check (octet_length(answer) <= 8192)
);
create index webhook_try_of_delivery on webhook_try (delivery_id, id);

create table zone_matrix (
  id bigint not null generated always as identity,
  zones bytea not null,
  pairs int not null,
  content_hash text not null,
  reason text not null,
  set_by bigint not null,
  created_at timestamptz not null default now(),
  constraint zone_matrix_pkey primary key (id),
  constraint zone_matrix_set_by_fkey foreign key (set_by) references app_user(id),
  constraint zone_matrix_pairs_check check ((pairs >= 0) and (pairs <= 1000000)),
  constraint zone_matrix_zones_check check (length(zones) = 1000000)
);
create trigger zone_matrix_immutable before delete or update on zone_matrix for each row execute function refuse_change();

create sequence invoice_lookup;
create sequence sandbox_serial;
create function add_evidence_month(of_table text) returns text language plpgsql security definer set search_path=public, pg_temp, TimeZone=utc, lock_timeout=1500ms;
create function apply_transfers_to_balances() returns trigger language plpgsql security definer set search_path=public, pg_temp;
create function archive_labels(most int) returns int language plpgsql security definer set search_path=public, pg_temp, lock_timeout=700ms;
create function check_invariants() returns table(rule text, subject text, detail text) language sql stable;
create function copy_statement_triggers(of_table text, part text) returns void language plpgsql set search_path=public, pg_temp;
create function create_account_balance() returns trigger language plpgsql security definer set search_path=public, pg_temp;
create function create_evidence_rest(of_table text, past text, rest text) returns void language plpgsql set search_path=public, pg_temp;
create function create_label_archive() returns void language plpgsql set search_path=public, pg_temp;
create function drop_evidence_month(of_table text) returns text language plpgsql security definer set search_path=public, pg_temp, TimeZone=utc, lock_timeout=1500ms;
create function evidence_months(of_table text) returns table(name text, ends_at timestamptz) language sql stable set search_path=public, pg_temp, TimeZone=utc;
create function find_orders_by_words(query tsquery, most int) returns table(order_id bigint) language sql stable set enable_seqscan=off;
create function find_orders_by_words(query tsquery, exact tsquery, most int) returns table(order_id bigint) language sql stable set enable_seqscan=off;
create function has_recent_evidence() returns boolean language sql stable set search_path=public, pg_temp;
create function invariant_adjustment_explained() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_balance_equals_journal() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_balance_not_negative() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_batch_cost() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_batch_counts() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_batch_files() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_batch_holds() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_capture_equals_label() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_earlier_rounds_released() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_held_equals_open_labels() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_invoice_credit() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_invoice_of_owner() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_invoice_reversal() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_label_hold() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_label_once() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_movement_count() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_open_call_of_label() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_open_label_unsettled() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_owed_charge_collected() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_refund_equals_label() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_release_equals_failed() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_report_sums() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_settlement_of_owner() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_totals_equal_journal() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_voided_refunded() returns table(rule text, subject text, detail text) language sql stable;
create function invariant_wallet_figure() returns table(rule text, subject text, detail text) language sql stable;
create function is_of_test_account(account text) returns boolean language sql stable;
create function label_archive_indexes() returns table(name text, definition text) language sql stable set search_path=public, pg_temp;
create function label_archive_triggers() returns table(name text, definition text) language sql stable set search_path=public, pg_temp;
create function order_search_words(owner bigint, texts text[]) returns tsvector language sql immutable;
create function prepare_label_archive() returns text language plpgsql security definer set search_path=public, pg_temp, lock_timeout=700ms;
create function refuse_change() returns trigger language plpgsql;
create function refuse_direct_balance_change() returns trigger language plpgsql;
create function refuse_label_twice() returns trigger language plpgsql;
create function refuse_order_delete() returns trigger language plpgsql;
create function refuse_order_transition() returns trigger language plpgsql;
create function require_orders() returns trigger language plpgsql;
create function separate_past(of_table text, time_column text) returns text language plpgsql set search_path=public, pg_temp, TimeZone=utc;
