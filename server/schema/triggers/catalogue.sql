create or replace trigger price_version_immutable before update or delete on price_version
  for each row execute function refuse_change();

create or replace trigger option_price_version_immutable before update or delete on option_price_version
  for each row execute function refuse_change();

create or replace trigger zone_matrix_immutable before update or delete on zone_matrix
  for each row execute function refuse_change();

create or replace trigger cost_version_immutable before update or delete on cost_version
  for each row execute function refuse_change();
