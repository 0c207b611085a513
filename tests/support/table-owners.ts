/** Which module writes which table. Add new tables here. */
export const TABLES: Record<string, string[]> = {
  platform: ['app_setting', 'throttle', 'mail', 'schema_migration', 'repeatable_sql'],
  ledger: ['account', 'balance', 'transfer', 'transfer_rule'],
  accounts: [
    'app_user',
    'login_session',
    'known_network',
    'email_change',
    'email_link',
    'password_reset',
    'audit_entry',
    'second_factor',
    'recovery_code',
    'login_challenge',
    'balance_adjustment_request',
  ],
  carriers: [
    'raw_service',
    'carrier_call',
    'carrier_note',
    'carrier_budget',
    'sandbox_purchase',
    'sandbox_call_count',
  ],
  catalogue: ['default_service', 'user_service', 'price_version'],
  addresses: ['saved_address'],
  skus: ['sku'],
  labels: ['label_file', 'carrier_label_file'],
  orders: ['shipment_order', 'order_request', 'user_order_count', 'order_list_entry', 'order_item'],
  tracking: ['parcel_tracking'],
  purchasing: ['bought_before_restore', 'postage_loss'],
  batches: ['batch', 'import_mapping', 'import_grouping'],
  payments: ['invoice', 'webhook_inbox', 'sandbox_invoice', 'sandbox_payment'],
  reports: [
    'report_progress',
    'user_sum',
    'destination_sum',
    'trade_sum',
    'customer_sum',
    'failure_sum',
  ],
  admin: ['ledger_sum'],
}

/** The stores of these modules also write the states of labels. */
export const OTHER_WRITERS: Record<string, string[]> = { shipment_order: ['purchasing', 'voids'] }
