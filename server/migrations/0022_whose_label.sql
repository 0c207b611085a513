-- Which account at a carrier each label was asked of: only that one knows what became of it. Null: before this was written down; such a
-- label belongs to the account with which the house was first started afterwards (app_setting 'first-carrier-account').
-- `answer_missing_at`: when an answer of this round was missing last, so that a sale may have been entered unheard. `refusal`: why the label is
-- to fail, once the carrier has said that it sold nothing.
alter table shipment_order
  add column carrier_account text,
  add column answer_missing_at timestamptz,
  add column refusal text,
  add check (refusal is null or state = 'unknown');
alter table carrier_call add column account text;

-- Carriers call things by other names in each account. '': before this was written down.
alter table carrier_note
  add column account text not null default '',
  drop constraint carrier_note_pkey,
  add primary key (reference, round, account);
-- A shipment that was noted before may have been bought.
insert into carrier_note (reference, round, upstream_ref)
  select reference || ' asked', round, upstream_ref from carrier_note where starts_with(upstream_ref, 'shp_') on conflict do nothing;
