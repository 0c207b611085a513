-- Tables that have a partition for each month (docs/decisions/0066-evidence-in-months.md): T_2026_11 and so on, T_past with what was there
-- before, and T_default for what no other takes. The functions act as the owner, so that every process can call them. Each call does
-- one step in its transaction and says which; null: nothing is left to do, or another process is at work.

-- Partitions of times, the oldest first.
create or replace function evidence_months(of_table text) returns table (name text, ends_at timestamptz)
  language sql stable set search_path = public, pg_temp set timezone = 'UTC' as $$
    select relname::text, substring(pg_get_expr(relpartbound, oid) from 'TO \(''([^'']+)''\)')::timestamptz
      from pg_class join pg_inherits on inhrelid = oid
      where inhparent = to_regclass(of_table) and pg_get_expr(relpartbound, oid) <> 'DEFAULT'
      order by 2
$$;

-- Triggers for statements are not inherited by partitions.
create or replace function copy_statement_triggers(of_table text, part text) returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  definition text;
begin
  for definition in
    select replace(pg_get_triggerdef(oid), format(' ON public.%I ', of_table), format(' ON public.%I ', part))
      from pg_trigger whole where tgrelid = to_regclass(of_table) and not tgisinternal and tgtype & 1 = 0
        and not exists (select from pg_trigger own where own.tgrelid = to_regclass(part) and own.tgname = whole.tgname)
  loop
    execute definition;
  end loop;
end $$;

-- Adds the next month until there are three ahead.
create or replace function add_evidence_month(of_table text) returns text
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '1500ms' as $$
declare
  time_column text := (select attname from pg_partitioned_table join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
    where partrelid = to_regclass(of_table));
  rest text := of_table || '_default';
  month text;
  begins timestamptz;
  ends timestamptz;
  has_rows boolean;
begin
  if time_column is null then
    raise exception '% has no partitions', of_table;
  end if;
  if not pg_try_advisory_xact_lock(7301958, hashtext(of_table)) then
    return null;
  end if;
  if not exists (select from pg_inherits where inhrelid = to_regclass(rest)) then
    return separate_past(of_table, time_column);
  end if;
  select max(ends_at) into begins from evidence_months(of_table);
  if begins > now() + interval '3 months' then
    return null;
  end if;
  -- An entry that is written meanwhile waits for the month: one that had chosen the default partition before would be refused.
  execute format('lock table %I in share row exclusive mode', of_table);
  month := of_table || to_char(begins, '_YYYY_MM');
  ends := begins + interval '1 month';
  execute format('create table %I (like %I including all excluding identity)', month, rest);
  perform copy_statement_triggers(of_table, month);
  execute format('select exists (select from %I where %I >= %L and %I < %L)', rest, time_column, begins, time_column, ends) into has_rows;
  if has_rows then
    execute format('alter table %I disable trigger user', rest);
    execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
      rest, time_column, begins, time_column, ends, month);
    execute format('alter table %I enable trigger user', rest);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', of_table, month, begins, ends);
  return 'added ' || month;
end $$;

-- What no month takes; not attached yet.
create or replace function create_evidence_rest(of_table text, past text, rest text) returns void
  language plpgsql set search_path = public, pg_temp as $$
begin
  execute format('create table %I (like %I including all excluding identity)', rest, past);
  execute format('alter table %I drop constraint if exists %I', rest, past || '_bound');
  if of_table = 'carrier_call' then
    -- No call is read by its id: one index less for each label.
    alter table carrier_call_default drop constraint carrier_call_default_pkey;
  end if;
end $$;

-- T_past ends at a month that is far enough away: from the check on, it refuses later rows until that month is there. The check is
-- proved beside running orders, and lets T_past be moved without being read. Carriers tell times of years to come: such a row waits in
-- T_default for the month to be separated, or no month would begin before it. Entries of the audit are not moved; the database has told
-- their time.
create or replace function separate_past(of_table text, time_column text) returns text
  language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  past text := of_table || '_past';
  rest text := of_table || '_default';
  bound text := past || '_bound';
  this_month timestamptz := date_trunc('month', now());
  has_rows boolean;
  newest timestamptz;
  ends timestamptz;
  is_proved boolean;
begin
  select substring(pg_get_constraintdef(oid) from '''([^'']+)''')::timestamptz, convalidated into ends, is_proved
    from pg_constraint where conrelid = to_regclass(past) and conname = bound;
  if ends is null then
    execute format('select exists (select from %I)', past) into has_rows;
    if not has_rows then
      execute format('lock table %I in access exclusive mode', past);
      execute format('select exists (select from %I)', past) into has_rows;
    end if;
    if has_rows then
      ends := this_month + interval '2 months';
      if of_table = 'audit_entry' then
        execute format('select max(%I) from %I', time_column, past) into newest;
        ends := greatest(ends, date_trunc('month', newest) + interval '1 month');
      end if;
      execute format('alter table %I add constraint %I check (%I < %L) not valid', past, bound, time_column, ends);
      return 'limited ' || past;
    end if;
    ends := this_month;
  elsif ends < now() + interval '7 days' then
    execute format('alter table %I drop constraint %I', past, bound);
    if to_regclass(rest) is not null then
      execute format('insert into %I select * from %I', past, rest);
      execute format('drop table %I', rest);
    end if;
    return 'no longer limited ' || past;
  elsif not is_proved then
    begin
      execute format('alter table %I validate constraint %I', past, bound);
      return 'proved the limit of ' || past;
    exception when check_violation then
      if of_table = 'audit_entry' then
        execute format('alter table %I drop constraint %I', past, bound);
        return 'no longer limited ' || past;
      end if;
    end;
    if to_regclass(rest) is null then
      perform create_evidence_rest(of_table, past, rest);
    end if;
    execute format('with moved as (delete from %I where %I >= %L returning *) insert into %I select * from moved',
      past, time_column, ends, rest);
    return 'moved what is later than the limit of ' || past;
  end if;
  execute format('alter table %I detach partition %I', of_table, past);
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', of_table, past, ends);
  execute format('alter table %I drop constraint if exists %I', past, bound);
  if to_regclass(rest) is null then
    perform create_evidence_rest(of_table, past, rest);
  end if;
  perform copy_statement_triggers(of_table, past);
  perform copy_statement_triggers(of_table, rest);
  execute format('alter table %I attach partition %I default', of_table, rest);
  return 'separated ' || past;
end $$;

-- False where the database's clock may have jumped ahead: nothing happened in the last weeks.
create or replace function has_recent_evidence() returns boolean
  language sql stable set search_path = public, pg_temp as $$
    select exists (select from audit_entry where created_at > now() - interval '45 days' and created_at < now() - interval '7 days')
      or exists (select from carrier_call where started_at > now() - interval '45 days' and started_at < now() - interval '7 days')
$$;

-- Drops the oldest month that ended longer ago than the operator keeps evidence, unless a label of it is open. The audit tells of it.
-- Where the clock has jumped years ahead, all months look old: nothing is dropped without evidence of the last weeks.
create or replace function drop_evidence_month(of_table text) returns text
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '1500ms' as $$
declare
  kept_months int := (select months from evidence_retention);
  month text;
  ended timestamptz;
  is_open boolean := false;
begin
  if kept_months is null or not pg_try_advisory_xact_lock(7301958, hashtext(of_table)) then
    return null;
  end if;
  if not has_recent_evidence() then
    return null;
  end if;
  for month, ended in
    select name, ends_at from evidence_months(of_table) where ends_at <= date_trunc('month', now()) - kept_months * interval '1 month'
  loop
    if of_table <> 'audit_entry' then
      execute format('select exists (select from (
          select id from shipment_order where state = ''queued'' union all
          select id from shipment_order where state = ''purchasing'' union all
          select id from shipment_order where state = ''unknown'' union all
          select id from shipment_order where state = ''voiding'') open_order
        join %I on order_id = open_order.id)', month) into is_open;
    end if;
    if not is_open then
      execute format('drop table %I', month);
      insert into audit_entry (action, detail)
        values ('evidence-dropped', jsonb_build_object('table', of_table, 'before', to_char(ended, 'YYYY-MM-DD'), 'months', kept_months));
      return 'dropped ' || month;
    end if;
  end loop;
  return null;
end $$;
