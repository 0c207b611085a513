-- The steps of 0005 without one that no part of the house takes: a label fails because the carrier has refused it, so it is in
-- somebody's hands before (architecture, 4).
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
