-- What the user wants to add, as the payment dialog shows it. Credits count what was paid.
alter table invoice add column requested_cents bigint check (requested_cents > 0);

alter table sandbox_invoice add column requested_cents bigint check (requested_cents > 0);
