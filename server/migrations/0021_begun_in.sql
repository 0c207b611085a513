-- In which of his sign-ins an administrator has signed in as somebody else: signing out of that one ends this one, and those that he
-- holds in other browsers go on.
alter table login_session add column parent_session_id bigint;
create index login_session_parent on login_session (parent_session_id) where parent_session_id is not null;
