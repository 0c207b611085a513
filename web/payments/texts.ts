import { countText } from '#contract/format.ts'

export const texts = {
  balance: 'Balance',
  statement: 'Wallet statement',
  lastDeposit: 'Last deposit',
  deposited: 'Total deposited',
  forLabels: 'Each label is paid from this balance. If one can’t be bought, its price comes back.',
  addMoney: 'Add money',
  how: 'It reaches your balance as soon as the payment is confirmed.',
  /** Leads from the open invoice to the form. */
  otherAmount: 'Another amount',
  /** In place of the button, where the typed amount is that of the open invoice. */
  sameAmount: 'Your open invoice is for this amount. Enter another amount to replace it.',
  /** What another amount does while an invoice is open. `amount` null: it asks for none. */
  replaces: (amount: string | null) =>
    `Replaces your open ${amount ? `${amount} invoice` : 'invoice'}. If you already paid that one, it is still credited.`,
  /** Before the time that the open invoice has left. */
  openUntil: 'It expires in',
  sandbox: 'Sandbox: test payments only. No real Bitcoin is charged.',
  amount: 'Amount in US dollars',
  quick: 'Quick amounts',
  buys: (labels: number, each: string) => `= ${countText(labels, 'label')} at ${each}`,
  /** Also while no amount is typed. */
  tooLittle: (each: string) => `Labels start at ${each}`,
  after: (balance: string) => `Balance afterwards: ${balance}`,
  enough: (labels: number, each: string) =>
    `Enough for about ${countText(labels, 'label')} at ${each}`,
  pay: 'Pay with Bitcoin',
  cancel: 'Cancel',
  /** While another invoice is open. `amount` null: none is typed. */
  newInvoice: (amount: string | null) => (amount ? `New ${amount} invoice` : 'New invoice'),
  verifyFirst: 'Verify your email address first',
  invoice: (number: string) => `Invoice ${number}`,
  steps: {
    name: 'Your payment',
    waiting: 'Waiting for payment',
    expires: 'Expires in',
    seen: 'Payment seen',
    unconfirmed: 'Not confirmed yet',
    confirmed: 'Confirmed',
    inBalance: (amount: string) => `${amount} is in your balance`,
    expired: 'Expired',
    expiredText: 'Nothing was paid',
    invalid: 'Not confirmed',
    received: (amount: string) => `${amount} received`,
    requested: 'requested',
  },
  inPage: 'We couldn’t load the payment dialog.',
  openPage: 'Open the payment page',
  history: 'Deposit History',
  columns: { amount: 'Amount', at: 'Date & Time', invoice: 'Reference', status: 'Status' },
  nothingPaid: 'Nothing paid',
  asked: (amount: string) => `${amount} requested`,
  none: 'No deposit found',
  noneText: 'Each payment appears here with its status, from the invoice to your balance.',
  failed: 'We couldn’t load your deposits.',
}
