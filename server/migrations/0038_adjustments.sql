-- The carrier's later corrections of what labels cost (docs/decisions/0058).

-- The order in which a purchase locks them.
lock table transfer, account in access exclusive mode;

-- 'carrier': what corrections changed of the carrier's charges. 'carrier_adjustments': what corrections cost the business, less what
-- customers paid of it.
alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check
  check (kind in ('available', 'held', 'cash', 'revenue', 'refunds', 'adjustments', 'carrier', 'carrier_adjustments'));
insert into account (kind) values ('carrier'), ('carrier_adjustments');

-- In the statistics of labels a charge and a credit count as revenue, the two costs as what the carrier charges.
insert into transfer_rule (kind, debit_kind, credit_kind, may_be_zero) values
  ('carrier_charge', 'available', 'carrier_adjustments', false),
  ('carrier_credit', 'carrier_adjustments', 'available', false),
  ('carrier_cost', 'carrier_adjustments', 'carrier', false),
  ('carrier_cost_back', 'carrier', 'carrier_adjustments', false);
alter table transfer add constraint carrier_adjustment_of_order
  check (kind not in ('carrier_charge', 'carrier_credit', 'carrier_cost', 'carrier_cost_back') or order_id is not null) not valid;

-- Owed by a customer for a label. What the balance does not cover waits and is collected, oldest first, in the transaction that brings
-- money in.
create table owed_charge (
  id bigint generated always as identity primary key,
  owner_id bigint not null references app_user,
  order_id bigint not null,
  -- what is charged, once: 'adjustment:42'
  subject text not null unique,
  reason text not null,
  cents bigint not null check (cents > 0),
  collected_cents bigint not null default 0 check (collected_cents >= 0),
  -- no longer owed
  waived_cents bigint not null default 0 check (waived_cents >= 0),
  -- given back of what was collected
  returned_cents bigint not null default 0,
  -- transfers that collected it
  collections int not null default 0,
  created_at timestamptz not null default now(),
  constraint owed_charge_not_exceeded check (collected_cents + waived_cents <= cents),
  constraint owed_charge_returned check (returned_cents between 0 and collected_cents)
);
create index owed_charge_waiting on owed_charge (owner_id, id) where collected_cents + waived_cents < cents;

-- A correction of the carrier. Read once, by the carrier's id of it or the hash of its line.
create table carrier_adjustment (
  id bigint generated always as identity primary key,
  line_key text not null unique,
  file_name text not null,
  carrier text not null,
  -- or what the file calls the shipment
  tracking_number text not null,
  -- by how much the carrier changed its charge; below zero: a credit
  amount_cents bigint not null,
  -- as the file has it
  line_cents bigint not null,
  -- the file has the whole change since the purchase, of which earlier corrections are a part
  is_total boolean not null,
  -- of a whole change: the last day of the report
  reported_on date,
  adjusted_on date,
  reason text not null,
  -- {"weightOz", "lengthIn", "widthIn", "heightIn", "zone", "service", "package"}, each only where the carrier tells it
  declared jsonb not null,
  measured jsonb not null,
  -- null: no label found
  order_id bigint references shipment_order,
  user_id bigint references app_user,
  -- of the label
  carrier_account text,
  -- of the customer: charged, or credited below zero; null without a label
  passed_cents bigint,
  rule text check (rule in ('pass_on', 'absorb', 'limit')),
  limit_cents bigint,
  -- the label was voided when it was applied
  was_voided boolean not null default false,
  dispute text,
  disputed_at timestamptz,
  dispute_answer text,
  answered_at timestamptz,
  credited_back_at timestamptz,
  -- what the customer no longer pays of it
  credited_back_cents bigint not null default 0,
  decided_by bigint references app_user,
  applied_by bigint not null references app_user,
  created_at timestamptz not null default now(),
  constraint carrier_adjustment_matched check ((order_id is null) = (user_id is null) and (order_id is null) = (passed_cents is null)),
  constraint carrier_adjustment_reported check (is_total = (reported_on is not null)),
  constraint carrier_adjustment_dispute check ((dispute is null) = (disputed_at is null))
);
create index carrier_adjustment_of_order on carrier_adjustment (order_id, id) where order_id is not null;
create index carrier_adjustment_of_user on carrier_adjustment (user_id, id desc) where passed_cents <> 0;
create index carrier_adjustment_unmatched on carrier_adjustment (id) where order_id is null;
create index carrier_adjustment_disputed on carrier_adjustment (id)
  where dispute is not null and answered_at is null and credited_back_at is null;

-- Who pays; without a user for all. A user's own rule comes first.
create table adjustment_rule (
  user_id bigint unique nulls not distinct references app_user,
  rule text not null check (rule in ('pass_on', 'absorb', 'limit')),
  limit_cents bigint check (limit_cents > 0),
  set_by bigint not null references app_user,
  updated_at timestamptz not null default now(),
  constraint adjustment_rule_limit check ((rule = 'limit') = (limit_cents is not null))
);
