-- Copies of what each user's accounts say, with an index for each column that lists of users are sorted by. Balances themselves change with
-- every purchase, and an index on them would be written each time. Users with transfers after the last one here are looked up in their balances
-- (docs/decisions/0080). Without a row in the progress nothing is copied.
create table wallet_figure (
  owner_id bigint primary key references app_user,
  available_cents bigint not null default 0,
  deposited_cents bigint not null default 0,
  spent_cents bigint not null default 0
);
create index wallet_figure_available on wallet_figure (available_cents, owner_id);
create index wallet_figure_deposited on wallet_figure (deposited_cents, owner_id);
create index wallet_figure_spent on wallet_figure (spent_cents, owner_id);

create table wallet_figure_progress (
  only_row boolean primary key default true check (only_row),
  last_transfer_id bigint not null
);
