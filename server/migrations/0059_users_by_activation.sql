-- The same list by activation.
create index concurrently app_user_by_activation on app_user (activation, id) where deleted_at is null;
