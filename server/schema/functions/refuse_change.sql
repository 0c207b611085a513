-- For triggers of tables whose rows are never changed.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed; record a correction instead', tg_table_name using errcode = 'restrict_violation';
end $$;
