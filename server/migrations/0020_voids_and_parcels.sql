-- How far a void is: whether its carrier has taken the wish and thinks about it, and whether it was the house that asked for it,
-- because the label was not used.
alter table shipment_order
  add column void_submitted_at timestamptz,
  add column void_is_automatic boolean not null default false;
