-- How many movements of each kind a user has up to a transfer: the statement of a user with millions counts only the later ones.
create table movement_count (
  owner_id bigint primary key,
  last_transfer_id bigint not null default 0,
  -- {"hold": 870000, "refund": 12000}
  counts jsonb not null default '{}'
);
