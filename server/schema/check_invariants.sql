-- Every row is a broken rule of the books; no row means that all is well. Run at the end of every test that moves money, by the doctor
-- and by GET /api/admin/invariants. Each rule is a function in server/schema/invariants/.
create or replace function check_invariants() returns table (rule text, subject text, detail text) language sql stable as $$
  select * from invariant_balance_equals_journal()
  union all
  select * from invariant_totals_equal_journal()
  union all
  select * from invariant_balance_not_negative()
  union all
  select * from invariant_capture_equals_label()
  union all
  select * from invariant_settlement_of_owner()
  union all
  select * from invariant_release_equals_failed()
  union all
  select * from invariant_open_label_unsettled()
  union all
  select * from invariant_open_call_of_label()
  union all
  select * from invariant_earlier_rounds_released()
  union all
  select * from invariant_held_equals_open_labels()
  union all
  select * from invariant_batch_cost()
  union all
  select * from invariant_batch_holds()
  union all
  select * from invariant_label_hold()
  union all
  select * from invariant_invoice_credit()
  union all
  select * from invariant_invoice_reversal()
  union all
  select * from invariant_invoice_of_owner()
  union all
  select * from invariant_refund_equals_label()
  union all
  select * from invariant_voided_refunded()
  union all
  select * from invariant_label_once()
  union all
  select * from invariant_batch_files()
  union all
  select * from invariant_batch_counts()
  union all
  select * from invariant_adjustment_explained()
  union all
  select * from invariant_owed_charge_collected()
  union all
  select * from invariant_report_sums()
  union all
  select * from invariant_movement_count()
  union all
  select * from invariant_wallet_figure()
$$;
