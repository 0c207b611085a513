/** Texts of the deposit page. */
export const texts = {
  balance: 'Balance',
  statement: 'Wallet statement',
  how: 'Pay a Bitcoin invoice of any amount. It reaches your balance as soon as the payment is confirmed.',
  sandbox: 'Sandbox: test payments only. No real Bitcoin is charged.',
  pay: 'Pay with Bitcoin',
  verifyFirst: 'Verify your email address first',
  invoice: 'Invoice',
  open: 'Still open. Use the button above to return to it.',
  paid: 'Paid. Your balance is up to date.',
  inPage: 'We couldn’t load the payment dialog.',
  openPage: 'Open the payment page',
  history: 'Deposit History',
  columns: { amount: 'Amount', at: 'Date & Time', status: 'Status' },
  none: 'No deposit found',
  noneText: 'Your deposits appear here.',
  failed: 'We couldn’t load your deposits.',
}
