-- What the server may do: its role has the rights below and no others, so a table without a line is closed to it. The name of the role is
-- replaced by that of the installation. Rows of transfer, audit_entry, account, price_version, order_list_entry and order_item are added
-- and never changed; their times and ids are the database's. Balances are written by the trigger of transfer, as the owner.
revoke all on all tables in schema public from evenpost_app;
revoke all on all sequences in schema public from evenpost_app;

-- Tables and functions of its own could replace ours.
do $$ begin
  execute format('revoke temporary on database %I from public', current_database());
  revoke create on schema public from public;
exception when insufficient_privilege then null; -- the doctor reports it
end $$;

grant select, insert on account to evenpost_app;
grant select, insert, update, delete on adjustment_rule to evenpost_app;
grant select, insert, update on api_key to evenpost_app;
grant select, insert, update, delete on api_key_spending to evenpost_app;
grant select, insert, update, delete on api_address to evenpost_app;
grant select, insert, update, delete on api_batch to evenpost_app;
grant select, insert, update, delete on api_parcel to evenpost_app;
grant select, insert, delete on api_refund to evenpost_app;
grant select, insert, update, delete on api_shipment to evenpost_app;
grant select, insert, update on app_setting to evenpost_app;
grant select, insert, update on app_user to evenpost_app;
grant select, insert (actor_id, subject_id, action, detail) on audit_entry to evenpost_app;
grant select, update (row_lock) on balance to evenpost_app;
grant select, insert, update on balance_adjustment_request to evenpost_app;
grant select, insert, update, delete on batch to evenpost_app;
grant select, insert, update, delete on bought_before_restore to evenpost_app;
grant select, insert, update, delete on carrier_account_progress to evenpost_app;
grant select, insert, update, delete on carrier_account_sum to evenpost_app;
grant select, insert, update on carrier_adjustment to evenpost_app;
grant select, insert, update on carrier_budget to evenpost_app;
grant select, insert, update on carrier_call to evenpost_app;
grant select, insert, update on carrier_label_file to evenpost_app;
grant select, insert, update, delete on carrier_note to evenpost_app;
grant select, insert, update, delete on carrier_quote to evenpost_app;
grant select, insert, update on default_service to evenpost_app;
grant select, insert, update, delete on commit_mark to evenpost_app;
grant select, insert on cost_version to evenpost_app;
grant select, insert, update, delete on customer_sum to evenpost_app;
grant select, insert, update, delete on destination_sum to evenpost_app;
grant select, insert, update, delete on email_change to evenpost_app;
grant select, insert, update, delete on email_link to evenpost_app;
grant select on evidence_retention to evenpost_app;
grant select, insert, update, delete on failure_sum to evenpost_app;
grant select, insert, update, delete on import_grouping to evenpost_app;
grant select, insert, update, delete on import_mapping to evenpost_app;
grant select, insert, update on invoice to evenpost_app;
grant select, insert, update, delete on known_network to evenpost_app;
grant select on label_archive to evenpost_app;
grant select, insert, update on label_file to evenpost_app;
grant select, insert, update on ledger_sum to evenpost_app;
grant select, insert, update on ledger_total to evenpost_app;
grant select, insert, update on movement_count to evenpost_app;
grant select, insert, update, delete on login_challenge to evenpost_app;
grant select, insert, update, delete on login_session to evenpost_app;
grant select, insert, update, delete on mail to evenpost_app;
grant select, insert, update (lease_until), delete on open_carrier_call to evenpost_app;
grant select, insert on order_item to evenpost_app;
grant select, insert on order_list_entry to evenpost_app;
grant select, insert, update, delete on order_request to evenpost_app;
grant select, insert, update on owed_charge to evenpost_app;
grant select, insert, update, delete on outbox to evenpost_app;
grant select, insert, delete on outbox_subscription to evenpost_app;
grant select, insert on parcel_event to evenpost_app;
grant select, insert, update, delete on parcel_page_setting to evenpost_app;
grant select, insert on option_price_version to evenpost_app;
grant select, insert, update on parcel_tracking to evenpost_app;
grant select, insert, update on carrier_message to evenpost_app;
grant select, insert, update on postage_loss to evenpost_app;
grant select, insert, update, delete on password_reset to evenpost_app;
grant select, insert, update on price_change to evenpost_app;
grant select, insert on price_version to evenpost_app;
grant select, insert, update, delete on raw_service to evenpost_app;
grant select, insert, update on receiver_mail to evenpost_app;
grant select, insert on receiver_stop to evenpost_app;
grant select, insert, delete on recovery_code to evenpost_app;
grant select on repeatable_sql to evenpost_app;
grant select, insert, update, delete on report_progress to evenpost_app;
grant select, insert, update on sandbox_call_count to evenpost_app;
grant select, insert, update on sandbox_invoice to evenpost_app;
grant select, insert, update on sandbox_payment to evenpost_app;
grant select, insert, update on sandbox_purchase to evenpost_app;
grant select, insert on sandbox_scan_form to evenpost_app;
grant select, insert, update, delete on saved_address to evenpost_app;
grant select, insert, update on scan_form to evenpost_app;
grant select on schema_migration to evenpost_app;
grant select, insert, update, delete on second_factor to evenpost_app;
grant select, insert, delete on service_source to evenpost_app;
grant select, insert, update on shipment_order to evenpost_app;
grant select, insert, update, delete on sku to evenpost_app;
grant select, insert, update, delete on throttle to evenpost_app;
grant select, insert, update, delete on trade_sum to evenpost_app;
grant select, insert (owner_id, kind, debit_account_id, credit_account_id, cents, key, order_id, batch_id, round, invoice_id, actor_id,
  reason) on transfer to evenpost_app;
grant select on transfer_rule to evenpost_app;
grant select, insert, update on user_order_count to evenpost_app;
grant select, insert, update on user_service to evenpost_app;
grant select, insert, update, delete on user_sum to evenpost_app;
grant select, insert, update on wallet_figure to evenpost_app;
grant select, insert, update on wallet_figure_progress to evenpost_app;
grant select, insert on zone_matrix to evenpost_app;
grant select, insert, update, delete on webhook_delivery to evenpost_app;
grant select, insert, update, delete on webhook_endpoint to evenpost_app;
grant select, insert, update, delete on webhook_inbox to evenpost_app;
grant select, insert on webhook_try to evenpost_app;

grant usage on sequence invoice_lookup, sandbox_serial to evenpost_app;
-- After a restore the next numbers leave a gap.
grant usage, update on sequence batch_id_seq, shipment_order_id_seq to evenpost_app;
