-- The only steps between the states of a label. Where a carrier may have been asked, the fence rises with the step that ends the call.
-- Programs before 0060 write 'purchasing' into the label while it is open. The rule is the condition of the trigger: the function, which
-- costs more than the rule, runs for a forbidden step only.
create or replace function refuse_order_transition() returns trigger language plpgsql as $$
begin
  raise exception 'order %: from % in round % to % in round % is no step of a label''s life, or its owner, price or fence is wrong',
    old.id, old.state, old.round, new.state, new.round using errcode = 'check_violation';
end $$;
create or replace trigger refuse_order_transition before update of state, round, fence, user_id, price_cents on shipment_order
  for each row when (
    new.user_id <> old.user_id or new.price_cents <> old.price_cents or new.round < old.round or new.fence < old.fence
    or (new.state = old.state and new.round <> old.round)
    or (new.state <> old.state and (
      -- A round begins with failed to queued and nowhere else.
      new.round <> old.round + (old.state = 'failed')::int
      or (old.state, new.state) not in (
        ('queued', 'purchasing'), ('queued', 'purchased'), ('queued', 'failed'), ('queued', 'unknown'),
        ('purchasing', 'purchased'), ('purchasing', 'failed'), ('purchasing', 'queued'), ('purchasing', 'unknown'),
        ('unknown', 'purchased'), ('unknown', 'failed'), ('unknown', 'queued'),
        ('failed', 'queued'),
        ('purchased', 'voiding'), ('voiding', 'voided'), ('voiding', 'purchased'))
      or (old.state = 'queued' and new.fence = old.fence))))
  execute function refuse_order_transition();
-- Row triggers are copied to the archive of labels. One that is dropped here together with its function is dropped there first
-- ('drop trigger if exists … on shipment_order_archive'). A new state after 'purchased' needs the check label_archive_state widened.
-- The trigger that it replaces: dropped in the same transaction, so that an upgrade beside running programs leaves no moment without
-- the rule.
drop trigger if exists check_order_transition on shipment_order;
drop function if exists check_order_transition();

-- Programs before 0060 know nothing of open calls: a label that has one is not theirs to claim, as if it were locked. Where only they
-- are left, their claim ends a call whose lease is over, and they look the label up.
create or replace function skip_called_order() returns trigger language plpgsql as $$
declare
  late record;
begin
  delete from open_carrier_call where order_id = old.id and lease_until < clock_timestamp() returning * into late;
  if found then
    insert into carrier_call (order_id, round, attempt, fence, account, started_at)
      values (late.order_id, late.round, late.attempt, late.fence, late.account, late.started_at);
    update only shipment_order
      set state = 'unknown', fence = late.fence + 1, attempt = late.attempt, carrier_account = late.account,
          unknown_since = clock_timestamp(), answer_missing_at = clock_timestamp(), run_after = clock_timestamp()
      where id = old.id;
    return null;
  end if;
  if exists (select from open_carrier_call where order_id = old.id) then
    return null;
  end if;
  return new;
end $$;
create or replace trigger skip_called_order before update of state on shipment_order
  for each row when (old.state = 'queued' and new.state = 'purchasing') execute function skip_called_order();

-- A row leaves the table only after the same row is in the archive (server/schema/functions/label_archive.sql).
create or replace function refuse_order_delete() returns trigger language plpgsql as $$
declare
  is_archived boolean := false;
begin
  if tg_table_name = 'shipment_order' and to_regclass('shipment_order_archive') is not null then
    select a::shipment_order *= old into is_archived from shipment_order_archive a where a.id = old.id;
    if is_archived then
      return old;
    end if;
  end if;
  raise exception 'an order is never deleted' using errcode = 'restrict_violation';
end $$;
create or replace trigger refuse_order_delete before delete on shipment_order
  for each row execute function refuse_order_delete();
create or replace trigger refuse_order_truncate before truncate on shipment_order
  for each statement execute function refuse_change();

create or replace trigger order_list_entry_immutable before update or delete on order_list_entry
  for each row execute function refuse_change();
create or replace trigger order_item_immutable before update or delete on order_item
  for each row execute function refuse_change();
