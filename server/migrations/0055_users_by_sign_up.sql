-- The dashboard counts users, and the new ones of a day, a week and a month: with 100,000 users it read all of them four times.
create index concurrently app_user_created on app_user (created_at) where deleted_at is null;
