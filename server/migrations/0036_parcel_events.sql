-- The history of parcels, their public pages, and mails to receivers.

create table parcel_event (
  order_id bigint not null references shipment_order,
  at timestamptz not null,
  status text not null,
  -- the carrier's words
  text text not null,
  -- city and state, '' where the carrier tells none
  place text not null,
  -- the same event is told by each look-up
  primary key (order_id, at, text),
  constraint parcel_event_status check (status in ('unknown', 'pre_transit', 'in_transit', 'out_for_delivery',
    'available_for_pickup', 'delivered', 'return_to_sender', 'failure', 'cancelled'))
);

-- 128 random bits: the address of the parcel's public page. Null for parcels whose tracking ended before this migration.
alter table parcel_tracking add column page_token text;
create unique index parcel_tracking_page on parcel_tracking (page_token) where page_token is not null;
-- at the receiver's place
alter table parcel_tracking add column expected_day date;

-- What a seller shows on the pages of their parcels, and whether receivers get mails.
create table parcel_page_setting (
  user_id bigint primary key references app_user,
  -- '' for the sender of the label
  seller_name text not null,
  contact text not null,
  mails_receivers boolean not null,
  constraint parcel_page_setting_length check (length(seller_name) <= 60 and length(contact) <= 120)
);

-- Mails to receivers that are due or were decided on: at most one of each kind for a label.
create table receiver_mail (
  order_id bigint not null references shipment_order,
  kind text not null,
  user_id bigint not null references app_user,
  -- an HMAC of the address
  recipient_hash text,
  due_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  -- stopped: by the receiver; limited: too many; off: the seller switched them off, or the label is void
  outcome text,
  primary key (order_id, kind),
  constraint receiver_mail_kind check (kind in ('on-the-way', 'delivered')),
  constraint receiver_mail_outcome check (outcome in ('mailed', 'stopped', 'limited', 'off')),
  constraint receiver_mail_decided check ((decided_at is null) = (outcome is null)),
  constraint receiver_mail_recipient check (outcome is null or outcome = 'off' or recipient_hash is not null)
);
create index receiver_mail_due on receiver_mail (due_at) where decided_at is null;
create index receiver_mail_of_seller on receiver_mail (user_id, decided_at) where outcome = 'mailed';
create index receiver_mail_of_recipient on receiver_mail (recipient_hash, decided_at) where recipient_hash is not null;

-- Receivers who want no mails of any seller.
create table receiver_stop (
  recipient_hash text primary key,
  stopped_at timestamptz not null default clock_timestamp()
);

-- USPS labels were not followed before. They are looked up within six hours; unused ones are voided by the rule of all carriers.
insert into parcel_tracking (order_id, user_id, next_check_at, auto_void_at)
  select id, user_id, clock_timestamp() + random() * interval '6 hours', greatest(purchased_at + interval '28 days', clock_timestamp() + interval '6 hours')
    from shipment_order
    where state = 'purchased' and carrier_account like 'usps:%' and purchased_at > clock_timestamp() - interval '30 days'
  on conflict do nothing;
