/** Settings of a live installation whose carrier and payments are our stubs. */
export const LIVE_ENV = {
  PAYMENTS: 'btcpay',
  BTCPAY_URL: 'http://127.0.0.1:1',
  BTCPAY_API_KEY: 'gravel-7f3e-unit-of-btcpay',
  BTCPAY_STORE_ID: 'Store1',
  BTCPAY_WEBHOOK_SECRET: 'wet-hemlock-4711-of-btcpay',
  CARRIER_TIMEOUT_MS: '6000',
  CARRIER_PER_MINUTE: '100000',
}
