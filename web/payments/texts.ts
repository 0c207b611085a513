/** What the deposit screen says (specification, 2), in one place, so that languages can be added. */
export const texts = {
  balance: 'Balance',
  statement: 'Wallet statement',
  how: 'Pay a Bitcoin invoice of any amount. It is in your balance as soon as the payment is confirmed.',
  sandbox: 'Sandbox: payments are played, no real coins are taken.',
  pay: 'Pay with Bitcoin',
  invoice: 'Invoice',
  open: 'It is open. The button above brings you back to it.',
  paid: 'It is paid, and your balance is up to date.',
  inPage: 'The payment dialog could not be loaded.',
  openPage: 'Open the payment page',
  tryAgain: 'Try again',
  history: 'Deposit History',
  columns: { amount: 'Amount', at: 'Date & Time', status: 'Status' },
  none: 'No deposit found',
  noneText: 'Money you pay into your balance appears here.',
  failed: 'Your deposits could not be loaded.',
}
