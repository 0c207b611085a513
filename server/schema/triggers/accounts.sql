create or replace trigger audit_entry_immutable before update or delete on audit_entry
  for each row execute function refuse_change();
create or replace trigger audit_entry_no_truncate before truncate on audit_entry
  for each statement execute function refuse_change();
