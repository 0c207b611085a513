-- How many cents a label of the service may cost above its price (docs/decisions/0038); null: the installation's limit.
alter table default_service add column max_loss_cents bigint;
alter table default_service add constraint default_service_max_loss_cents_check check (max_loss_cents >= 0);
