-- The only steps between the states of a label. Where a carrier may have been asked, the fence rises with the step that ends the call.
-- The rule is the condition of the trigger: the function, which costs more than the rule, runs for a forbidden step only. The trigger
-- comes after the update: with one before it the database locks each row on its own first, and logs the lock.
create or replace function refuse_order_transition() returns trigger language plpgsql as $$
begin
  raise exception 'order %: from % in round % to % in round % is no step of a label''s life, or its owner, price or fence is wrong',
    old.id, old.state, old.round, new.state, new.round using errcode = 'check_violation';
end $$;
create or replace trigger refuse_order_transition after update of state, round, fence, user_id, price_cents on shipment_order
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

-- Programs before 0060 needed it, which may not run any more.
drop trigger if exists skip_called_order on shipment_order;
do $$
begin
  if to_regclass('shipment_order_archive') is not null then
    drop trigger if exists skip_called_order on shipment_order_archive;
  end if;
end $$;
drop function if exists skip_called_order();

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
