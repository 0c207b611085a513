-- In which of his sign-ins an administrator has signed in as somebody else: signing out of that one ends this one, and those that he
-- holds in other browsers go on.
alter table login_session add column begun_in bigint;
create index login_session_begun_in on login_session (begun_in) where begun_in is not null;
