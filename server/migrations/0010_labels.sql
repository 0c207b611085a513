-- Files that are made of labels. They are derived and can be made again; they are never the record of a purchase.
create table label_file (
  name text primary key,
  user_id bigint not null references app_user,
  batch_id bigint references batch,
  kind text not null check (kind in ('pdf', 'result-csv', 'auto-csv')),
  bytes bigint not null,
  sha256 text not null,
  created_at timestamptz not null default now()
);
create index label_file_of_batch on label_file (batch_id);

-- Labels that carriers make: pending from the purchase on, then stored as bytes among the label files. Labels that this program draws
-- have no row here.
create table carrier_label_file (
  order_id bigint not null references shipment_order,
  -- as requested from the carrier; 'pdf' is the file that belongs to the purchase, whose mime may be another
  format text not null default 'pdf' check (format in ('pdf', 'png', 'zpl')),
  state text not null default 'pending' check (state in ('pending', 'stored', 'unavailable')),
  attempt int not null default 0,
  -- not to be fetched before; a worker moves it on before it fetches
  run_after timestamptz not null default clock_timestamp(),
  problem text,
  file_name text,
  mime text check (mime in ('application/pdf', 'image/png', 'application/zpl')),
  bytes bigint,
  sha256 text,
  stored_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (order_id, format),
  constraint carrier_label_file_stored check ((state = 'stored') = (
    file_name is not null and mime is not null and bytes is not null and sha256 is not null and stored_at is not null))
);
-- In this order they are fetched: the files of purchases first.
create index carrier_label_file_pending on carrier_label_file (format, run_after) where state = 'pending';
