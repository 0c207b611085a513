-- A user who returns to the default services keeps the rows of their own services, since price
-- versions refer to them. Inactive rows do not apply; a new copy of the defaults activates them again.
alter table user_service add column active boolean not null default true;
