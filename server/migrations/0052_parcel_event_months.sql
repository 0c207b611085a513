-- The history of parcels gets a partition for each month, by the time that the carrier tells.
alter table parcel_event rename to parcel_event_past;
alter index parcel_event_pkey rename to parcel_event_past_pkey;
create table parcel_event (
  like parcel_event_past including defaults including constraints,
  primary key (order_id, at, text),
  constraint parcel_event_order_id_fkey foreign key (order_id) references shipment_order
) partition by range (at);
-- The program of the version before goes on at once with the rights that it has.
do $$ declare granted record; begin
  for granted in
    select privilege_type as privilege, '' as part, grantee from pg_class, aclexplode(relacl) where oid = 'parcel_event_past'::regclass
    union all
    select privilege_type, format('(%I)', attname), grantee from pg_attribute, aclexplode(attacl)
      where attrelid = 'parcel_event_past'::regclass
  loop
    if granted.grantee <> 0 then
      execute format('grant %s %s on parcel_event to %s', granted.privilege, granted.part, granted.grantee::regrole);
    end if;
  end loop;
end $$;
alter table parcel_event attach partition parcel_event_past default;
