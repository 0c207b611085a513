-- Whether a label with this account (null for the first one) was bought from a carrier account for tests, whose labels may all have one
-- tracking number. The accounts are stored at each start.
create or replace function is_of_test_account(account text) returns boolean language sql stable as $$
  select exists (select 1 from app_setting where key = 'test-carrier-account:'
    || coalesce(account, (select value from app_setting where key = 'first-carrier-account')))
$$;
