create or replace trigger price_version_immutable before update or delete on price_version
  for each row execute function refuse_change();
