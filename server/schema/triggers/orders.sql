-- The only steps between the states of a label. A label fails after the carrier has refused it, so it is 'purchasing' before.
create or replace function check_order_transition() returns trigger language plpgsql as $$
begin
  if new.user_id <> old.user_id or new.price_cents <> old.price_cents or new.round < old.round or new.fence < old.fence then
    raise exception 'order %: owner and price are fixed, round and fence only grow', old.id using errcode = 'check_violation';
  end if;
  if new.state = old.state then
    if new.round <> old.round then
      raise exception 'order %: a new round begins with failed to queued', old.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (old.state, new.state) not in (
    ('queued', 'purchasing'),
    ('purchasing', 'purchased'), ('purchasing', 'failed'), ('purchasing', 'queued'), ('purchasing', 'unknown'),
    ('unknown', 'purchased'), ('unknown', 'failed'), ('unknown', 'queued'),
    ('failed', 'queued'),
    ('purchased', 'voiding'), ('voiding', 'voided'), ('voiding', 'purchased'))
  then
    raise exception 'order %: from % to % is no step of a label''s life', old.id, old.state, new.state using errcode = 'check_violation';
  end if;
  if (old.state = 'failed') <> (new.round = old.round + 1) or (old.state <> 'failed' and new.round <> old.round) then
    raise exception 'order %: a round begins with failed to queued and nowhere else', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create or replace trigger check_order_transition before update of state, round, fence, user_id, price_cents on shipment_order
  for each row execute function check_order_transition();

create or replace function refuse_order_delete() returns trigger language plpgsql as $$
begin
  raise exception 'an order is never deleted' using errcode = 'restrict_violation';
end $$;
create or replace trigger refuse_order_delete before delete on shipment_order
  for each row execute function refuse_order_delete();

create or replace trigger order_list_entry_immutable before update or delete on order_list_entry
  for each row execute function refuse_change();
create or replace trigger order_item_immutable before update or delete on order_item
  for each row execute function refuse_change();
