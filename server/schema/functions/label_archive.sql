-- The archive of finished labels (docs/decisions/0072-old-labels-move-to-an-archive.md): shipment_order_archive inherits from shipment_order, so
-- that every statement on shipment_order finds its rows as well, and later changes of its columns and checks reach both. It is made when the
-- operator turns the archive on. The functions act as the owner, so that every worker can call them.

-- Indexes of shipment_order that the archive needs too, by their names there. Left out are those of labels that are still to be bought, and
-- those of which a key of the archive begins with the same column.
create or replace function label_archive_indexes() returns table (name text, definition text)
  language sql stable set search_path = public, pg_temp as $$
    select 'archive_' || relname, replace(replace(pg_get_indexdef(indexrelid), format(' INDEX %I ON ', relname),
        format(' INDEX %I ON ', 'archive_' || relname)), ' ON public.shipment_order ', ' ON public.shipment_order_archive ')
      from pg_index join pg_class on oid = indexrelid
      where indrelid = 'shipment_order'::regclass and indisvalid
        and relname not in ('shipment_order_pkey', 'order_lease', 'order_not_purchased', 'order_queue',
          'order_queue_tied', 'order_unknown')
$$;

-- Triggers for rows are not inherited. Returns those that the archive lacks or has with another text, which is in the comment of each: a
-- condition reads differently after it was parsed again.
create or replace function label_archive_triggers() returns table (name text, definition text)
  language sql stable set search_path = public, pg_temp as $$
    select tgname::text, pg_get_triggerdef(oid) from pg_trigger t
      where tgrelid = 'shipment_order'::regclass and not tgisinternal and tgtype & 1 = 1 and not exists (
        select from pg_trigger own where own.tgrelid = to_regclass('shipment_order_archive') and own.tgname = t.tgname
          and obj_description(own.oid, 'pg_trigger') = pg_get_triggerdef(t.oid))
$$;

-- What a foreign key of order_id checks, for labels in both tables. One look-up by the key for each row, however many rows the planner
-- expects. A label is never deleted, so it is enough that it is there now.
create or replace function require_orders() returns trigger language plpgsql as $$
declare
  missing bigint;
begin
  if tg_op = 'INSERT' then
    select a.order_id into missing from added a
      where a.order_id is not null and (select o.id from shipment_order o where o.id = a.order_id) is null limit 1;
  elsif not exists (select from shipment_order o where o.id = new.order_id) then
    missing := new.order_id;
  end if;
  if missing is not null then
    raise exception 'order % of % does not exist', missing, tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

-- A label cannot be in both tables: checked when the transaction that has added it ends.
create or replace function refuse_label_twice() returns trigger language plpgsql as $$
begin
  if exists (select from only shipment_order where id = new.id) then
    raise exception 'label % would be in the archive and beside it', new.id using errcode = 'unique_violation';
  end if;
  return null;
end $$;

create or replace function create_label_archive() returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  definition text;
begin
  create table shipment_order_archive () inherits (shipment_order) with (fillfactor = 100);
  -- Keeps the archive out of statements about labels in other states.
  alter table shipment_order_archive
    add constraint shipment_order_archive_pkey primary key (id),
    add constraint label_archive_state check (state in ('purchased', 'voiding', 'voided'));
  for definition in select i.definition from label_archive_indexes() i loop
    execute definition;
  end loop;
  create constraint trigger refuse_label_twice after insert on shipment_order_archive deferrable initially deferred
    for each row execute function refuse_label_twice();
  create trigger refuse_order_truncate before truncate on shipment_order_archive for each statement execute function refuse_change();
  -- Until then the planner would know nothing about both together.
  analyze shipment_order;
end $$;

-- Readies the archive, one step in each call, and says which; null: it is ready, turned off or worked on by another process. A step that
-- gets no lock in time changes nothing. It waits less than the second after which PostgreSQL looks for deadlocks, so that no order can
-- be the victim of one. What later migrations add to shipment_order is added to the archive, and what they drop is dropped.
create or replace function prepare_label_archive() returns text
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '700ms' as $$
declare
  archive regclass := to_regclass('shipment_order_archive');
  added record;
begin
  if (archive is null and not exists (select from label_archive where months is not null))
    or not pg_try_advisory_xact_lock(7301958, hashtext('shipment_order'))
  then
    return null;
  end if;
  if archive is null then
    perform create_label_archive();
    return 'created the archive';
  end if;
  for added in
    select tgname as name from pg_trigger own where tgrelid = archive and not tgisinternal and obj_description(oid, 'pg_trigger') is not null
      and not exists (select from pg_trigger whole where whole.tgrelid = 'shipment_order'::regclass and whole.tgname = own.tgname)
  loop
    execute format('drop trigger %I on shipment_order_archive', added.name);
    return 'dropped ' || added.name;
  end loop;
  for added in
    select conname as name from pg_constraint own where conrelid = archive and contype = 'f'
      and not exists (select from pg_constraint whole where whole.conrelid = 'shipment_order'::regclass and whole.conname = own.conname)
  loop
    execute format('alter table shipment_order_archive drop constraint %I', added.name);
    return 'dropped ' || added.name;
  end loop;
  for added in select * from label_archive_triggers() loop
    execute replace(regexp_replace(added.definition, '^CREATE ', 'CREATE OR REPLACE '),
      ' ON public.shipment_order ', ' ON public.shipment_order_archive ');
    execute format('comment on trigger %I on shipment_order_archive is %L', added.name, added.definition);
    return 'added ' || added.name;
  end loop;
  -- What is moved was checked when it was ordered.
  for added in
    select conname, pg_get_constraintdef(oid) as definition from pg_constraint whole
      where conrelid = 'shipment_order'::regclass and contype = 'f'
        and not exists (select from pg_constraint own where own.conrelid = archive and own.conname = whole.conname)
  loop
    execute format('alter table shipment_order_archive add constraint %I %s', added.conname,
      regexp_replace(added.definition, '( NOT VALID)?$', ' NOT VALID'));
    return 'added ' || added.conname;
  end loop;
  -- A foreign key finds the labels of shipment_order only.
  for added in
    select conname, relname, pg_get_constraintdef(pg_constraint.oid) as definition
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where confrelid = 'shipment_order'::regclass and contype = 'f' and conparentid = 0
  loop
    if added.definition !~ '^FOREIGN KEY \(order_id\) REFERENCES (public\.)?shipment_order\(id\)( NOT VALID)?$' then
      raise exception 'the archive does not know how to replace %: %', added.conname, added.definition;
    end if;
    execute format('create or replace trigger require_orders after insert on %I referencing new table as added
      for each statement execute function require_orders()', added.relname);
    execute format('create or replace trigger require_changed_order after update of order_id on %I
      for each row when (new.order_id is distinct from old.order_id and new.order_id is not null)
      execute function require_orders()', added.relname);
    execute format('alter table %I drop constraint %I', added.relname, added.conname);
    return 'replaced ' || added.conname;
  end loop;
  return null;
end $$;

-- Looks at the next labels, at most so many, and moves those that were finished long enough ago. Returns how many were moved; null: there
-- is nothing to do now. Labels that another transaction has locked, or whose batch or user it has, are left for the next pass: each
-- weekly pass looks at all that are still there, of which most failed. Nothing moves where the clock may have jumped ahead.
create or replace function archive_labels(most int) returns int
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '700ms' as $$
declare
  setting record;
  before timestamptz;
  last_id bigint;
  finished bigint[];
  batches bigint[];
  users bigint[];
  moved int;
  deleted int;
begin
  if not pg_try_advisory_xact_lock(7301958, hashtext('shipment_order')) then
    return null;
  end if;
  select * into setting from label_archive where months is not null;
  if not found
    or to_regclass('shipment_order_archive') is null
    or exists (select from label_archive_triggers())
    or exists (select from pg_constraint where confrelid = 'shipment_order'::regclass and contype = 'f')
  then
    return null;
  end if;
  if not has_recent_evidence() then
    -- As in the first week after a stop of months: the doctor finds no worker missing.
    update label_archive set complete_at = now();
    return null;
  end if;
  before := now() - setting.months * interval '1 month';
  select max(id) filter (where created_at < before),
      array_agg(id order by id) filter (where state in ('purchased', 'voided') and purchased_at < before)
    into last_id, finished
    from (select id, state, created_at, purchased_at from only shipment_order where id > setting.after_id order by id
      limit least(most, 10000)) walked;
  if last_id is null then
    update label_archive set complete_at = now();
    if setting.after_id = 0 or setting.pass_began_at > now() - interval '7 days' then
      return null;
    end if;
    update label_archive set after_id = 0, pass_began_at = now();
    return 0;
  end if;
  update label_archive set after_id = last_id;
  -- Batch and user are locked before their labels, as everywhere; the foreign keys of the archive lock them.
  select array_agg(id) into batches from (
    select id from batch where id = any (array(select batch_id from only shipment_order where id = any (finished)))
      order by id for key share skip locked) b;
  select array_agg(id) into users from (
    select id from app_user where id = any (array(select user_id from only shipment_order where id = any (finished)))
      order by id for key share skip locked) u;
  select array_agg(id) into finished from (
    select o.id from only shipment_order o
      where o.id = any (finished) and o.user_id = any (users) and (o.batch_id is null or o.batch_id = any (batches))
        and o.state in ('purchased', 'voided') and o.purchased_at < before
        and coalesce(o.voided_at, o.void_requested_at, o.purchased_at) < before
        and not exists (select from carrier_label_file f where f.order_id = o.id and f.state = 'pending')
        and not exists (select from bought_before_restore b where b.order_id = o.id)
        and not exists (select from parcel_tracking p where p.order_id = o.id and p.auto_void_at is not null)
        and not exists (select from scan_form f where f.id = o.scan_form_id and f.state = 'asked')
        and not exists (select from carrier_adjustment a
          where a.order_id = o.id and a.dispute is not null and a.answered_at is null and a.credited_back_at is null)
      order by o.id for update of o skip locked) free;
  insert into shipment_order_archive select * from only shipment_order where id = any (finished) order by id;
  get diagnostics moved = row_count;
  delete from only shipment_order where id = any (finished);
  get diagnostics deleted = row_count;
  if moved <> deleted then
    raise exception '% labels were copied to the archive and % deleted', moved, deleted;
  end if;
  return moved;
end $$;
