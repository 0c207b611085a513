-- The audit of one user, narrowed to a kind: without these an administrator's hundred thousand lines are read to find one.
create index audit_entry_actor_action on audit_entry (actor_id, action, id);
create index audit_entry_subject_action on audit_entry (subject_id, action, id);
