-- The same list by role.
create index concurrently app_user_by_role on app_user (role, id) where deleted_at is null;
