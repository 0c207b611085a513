-- The accounts and the kind of a transfer are checked for all rows of a statement at once by apply_transfers_to_balances(), and neither
-- can be deleted; three look-ups for each transfer showed nothing more (decision 69).
alter table transfer
  drop constraint transfer_debit_account_id_fkey,
  drop constraint transfer_credit_account_id_fkey,
  drop constraint transfer_kind_fkey;
-- Its rows are copied from shipment_order, which has the key of the user and of which no row is ever deleted.
alter table parcel_tracking
  drop constraint parcel_tracking_order_id_fkey,
  drop constraint parcel_tracking_user_id_fkey;
-- Replaced by refuse_order_transition, which is called for a forbidden step only.
drop trigger if exists check_order_transition on shipment_order;
drop function if exists check_order_transition();
