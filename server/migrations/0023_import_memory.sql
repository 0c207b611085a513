-- How the columns of a file with this header row are read.
create table import_mapping (
  user_id bigint not null references app_user,
  -- SHA-256 of the header row
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
  name text not null,
  -- ColumnMapping of contract/imports.ts
  mapping jsonb not null,
  used_at timestamptz not null default clock_timestamp(),
  primary key (user_id, fingerprint)
);

-- What one label is made for in files of a source.
create table import_grouping (
  user_id bigint not null references app_user,
  source text not null,
  grouped_by text not null check (grouped_by in ('line', 'order', 'address')),
  primary key (user_id, source)
);

-- The sender that pages choose first.
alter table saved_address add column is_default boolean not null default false;
create unique index saved_address_default on saved_address (user_id) where is_default;
