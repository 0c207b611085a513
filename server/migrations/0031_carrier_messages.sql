-- Parcels that the carrier has sent a message about: they are looked up at once.

-- A message came after the last look-up began.
alter table parcel_tracking add column told_at timestamptz;

-- While messages of a carrier account arrive, parcels are looked up once a day beside them.
create table carrier_message (
  account text primary key,
  last_at timestamptz not null,
  messages bigint not null check (messages > 0)
);
