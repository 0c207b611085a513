-- Sums of the ledger since its beginning by kind, so that what is owed to all users is known without reading the balance of each
-- (docs/decisions/0018): every transfer with an id up to the greatest last_transfer_id is in exactly one sum, later ones are in none.
create table ledger_total (
  kind text primary key references transfer_rule,
  cents bigint not null,
  last_transfer_id bigint not null
);
