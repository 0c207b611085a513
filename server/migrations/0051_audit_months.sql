-- The audit gets a partition for each month, as carrier_call did. Its indexes end with the id: each partition has its own.
alter table audit_entry rename to audit_entry_past;
alter table audit_entry_past alter column id drop identity;
alter index audit_entry_pkey rename to audit_entry_past_pkey;
alter index audit_entry_subject rename to audit_entry_past_subject_id_id_idx;
alter index audit_entry_actor rename to audit_entry_past_actor_id_id_idx;
alter index audit_entry_action rename to audit_entry_past_action_id_idx;
alter index audit_entry_subject_action rename to audit_entry_past_subject_id_action_id_idx;
alter index audit_entry_actor_action rename to audit_entry_past_actor_id_action_id_idx;
create table audit_entry (like audit_entry_past including defaults including constraints) partition by range (created_at);
alter table audit_entry alter column id add generated always as identity;
select setval(pg_get_serial_sequence('audit_entry', 'id'), coalesce(max(id), 0) + 1, false) from audit_entry_past;
create index audit_entry_subject on audit_entry (subject_id, id);
create index audit_entry_actor on audit_entry (actor_id, id);
create index audit_entry_action on audit_entry (action, id);
create index audit_entry_subject_action on audit_entry (subject_id, action, id);
create index audit_entry_actor_action on audit_entry (actor_id, action, id);
-- A partition has the row triggers of the whole. A new database gets its triggers after the migrations.
drop trigger if exists audit_entry_immutable on audit_entry_past;
do $$ begin
  if to_regproc('refuse_change') is not null then
    create trigger audit_entry_immutable before update or delete on audit_entry for each row execute function refuse_change();
    create trigger audit_entry_no_truncate before truncate on audit_entry for each statement execute function refuse_change();
  end if;
end $$;
-- The program of the version before goes on at once with the rights that it has.
do $$ declare granted record; begin
  for granted in
    select privilege_type as privilege, '' as part, grantee from pg_class, aclexplode(relacl) where oid = 'audit_entry_past'::regclass
    union all
    select privilege_type, format('(%I)', attname), grantee from pg_attribute, aclexplode(attacl)
      where attrelid = 'audit_entry_past'::regclass
  loop
    if granted.grantee <> 0 then
      execute format('grant %s %s on audit_entry to %s', granted.privilege, granted.part, granted.grantee::regrole);
    end if;
  end loop;
end $$;
alter table audit_entry attach partition audit_entry_past default;
