-- The list of users that an administrator sorts by activation is read in the order of this index.
create index concurrently app_user_by_activation on app_user (activation, id) where deleted_at is null;
