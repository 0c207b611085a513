-- The administrator sorts users by name: with 100,000 users each page sorted all of them.
create index concurrently app_user_by_name on app_user (lower(name), id) where deleted_at is null;
