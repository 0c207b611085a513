-- Calls to the carrier get a partition for each month, so that old ones can be dropped (docs/decisions/0066). The rows that are here stay
-- where they are: their table becomes the partition of all times, and server/schema/functions/evidence_months.sql goes on from there.
-- Each partition has the keys that the table had; a key of the whole would have to contain the time.
alter table carrier_call rename to carrier_call_past;
alter table carrier_call_past alter column id drop identity;
alter index carrier_call_pkey rename to carrier_call_past_pkey;
alter index carrier_call_order_id_fence_key rename to carrier_call_past_order_id_fence_key;
create table carrier_call (like carrier_call_past including defaults including constraints) partition by range (started_at);
alter table carrier_call alter column id add generated always as identity;
select setval(pg_get_serial_sequence('carrier_call', 'id'), coalesce(max(id), 0) + 1, false) from carrier_call_past;
-- The program of the version before goes on at once with the rights that it has.
do $$ declare granted record; begin
  for granted in
    select privilege_type as privilege, '' as part, grantee from pg_class, aclexplode(relacl) where oid = 'carrier_call_past'::regclass
    union all
    select privilege_type, format('(%I)', attname), grantee from pg_attribute, aclexplode(attacl)
      where attrelid = 'carrier_call_past'::regclass
  loop
    if granted.grantee <> 0 then
      execute format('grant %s %s on carrier_call to %s', granted.privilege, granted.part, granted.grantee::regrole);
    end if;
  end loop;
end $$;
alter table carrier_call attach partition carrier_call_past default;
