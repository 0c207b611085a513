-- Labels whose postage costs more than their price and the operator's ceiling together.
create table postage_loss (
  order_id bigint not null references shipment_order,
  round int not null,
  -- the account at the carrier
  account text not null,
  -- refused: not bought; bought: the carrier reported its cost only with the label
  outcome text not null check (outcome in ('refused', 'bought')),
  price_cents bigint not null,
  cost_cents bigint not null,
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (order_id, round),
  constraint postage_loss_is_loss check (cost_cents > price_cents)
);
create index postage_loss_recent on postage_loss (recorded_at);

-- Losses pause purchases until an administrator ends the pause; no probe and no sale ends it. Losses before that end are not counted again.
alter table carrier_budget add column waits_for_administrator boolean not null default false;
alter table carrier_budget add column losses_since timestamptz;
alter table carrier_budget add constraint carrier_budget_wait check (not waits_for_administrator or pause_reason is not null);

-- A voided label is followed for 30 days: a scan tells that it was used after its refund.
alter table parcel_tracking add column void_check_at timestamptz;
alter table parcel_tracking add column scanned_after_void_at timestamptz;
create index parcel_tracking_voided_due on parcel_tracking (void_check_at) where void_check_at is not null;
create index parcel_tracking_scanned on parcel_tracking (scanned_after_void_at) where scanned_after_void_at is not null;
update parcel_tracking p set next_check_at = null, void_check_at = clock_timestamp()
  from shipment_order o where o.id = p.order_id and o.state = 'voided' and o.voided_at > clock_timestamp() - interval '30 days';
