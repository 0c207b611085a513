-- Voiding a label: asked for by somebody, confirmed or refused by the carrier. The money comes back with the confirmation.
alter table shipment_order
  add column void_requested_at timestamptz,
  add column void_requested_by bigint references app_user,
  add column void_attempt int not null default 0,
  -- why the carrier refused the last void; null while one is under way
  add column void_reason text,
  add column voided_at timestamptz;
create index order_voiding on shipment_order (run_after) where state = 'voiding';

-- The evidence is of both acts: buying and voiding.
alter table carrier_call add column act text not null default 'buy' check (act in ('buy', 'void'));
alter table carrier_call drop constraint carrier_call_outcome_check;
alter table carrier_call add constraint carrier_call_outcome_check
  check (outcome in ('bought', 'permanent', 'retryable', 'unknown', 'account', 'voided', 'submitted'));

-- Why the files of a bulk order could not be made, for the operator's work list; null once they were.
alter table batch add column files_problem text, add column files_problem_at timestamptz;
create index batch_files_problem on batch (id) where files_problem is not null;

-- The audit is read by what was done and by who did it.
create index audit_entry_action on audit_entry (action, id);
create index audit_entry_actor on audit_entry (actor_id, id);
