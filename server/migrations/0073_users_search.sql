-- The administrator searches names and email addresses for any part: with 100,000 users each search read all their rows and made lower-case
-- names of them. All that a search reads and sorts by is in this index.
create index concurrently app_user_search on app_user (lower(name), email_key)
  include (id, name, referral_code, role, activation, created_at) where deleted_at is null;
