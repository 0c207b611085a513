-- Invoices that an earlier version no longer looks up are found every hour: without an index each time all invoices were read.
create index concurrently invoice_to_schedule on invoice (id) where next_lookup_at is null and external_id is not null;
