/** Texts of the page that shows an administrator what a user sees. */
import { countText } from '#contract/format.ts'

export const texts = {
  title: (name: string) => `You are looking at ${name}’s account`,
  text: 'Looking changes nothing. The audit records what you open.',
  parts: 'Parts of the account',
  part: {
    dashboard: 'Dashboard',
    orders: 'Orders',
    batches: 'Bulk orders',
    wallet: 'Wallet',
    deposits: 'Deposits',
    services: 'Services and prices',
    addresses: 'Addresses',
    skus: 'SKUs',
  },
  none: 'Nothing here yet',
  noneFound: { title: 'No orders found', text: 'No orders match these filters.' },
  showFailed: (count: number) => countText(count, 'failed label'),
  services: {
    name: 'Service',
    limit: 'Limit',
    prices: 'Prices',
    margin: 'Margin',
    marginNote: 'margins of weights bought so far',
    shown: 'For this user',
    own: 'Prices of their own',
    defaults: 'Default prices',
    forSale: 'For sale',
    off: 'Switched off',
    vanished: 'Not offered by the carrier',
    noPrices: 'No prices',
    failed: 'We couldn’t load the services.',
    change: 'Change prices',
    history: { version: 'Version', since: 'Since', by: 'Set by', prices: 'Prices' },
  },
}
