-- Several carrier accounts at once (docs/decisions/0060). Both tables are small, and an existing installation has one account: nothing
-- that is stored changes.

-- Through which account a service is sold, by the account's short name in the configuration; the first account without a row. Rank 2 is
-- taken for labels that certainly were not sold while the first is down.
create table service_source (
  service_uid text not null,
  rank smallint not null check (rank in (1, 2)),
  account_name text not null check (account_name ~ '^[a-z][a-z0-9]{0,19}$'),
  primary key (service_uid, rank),
  unique (service_uid, account_name)
);

-- The account did not answer many purchases in a row: until then its services go to their second source.
alter table carrier_budget add column silent_until timestamptz;
