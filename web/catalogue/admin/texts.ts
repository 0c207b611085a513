/** What the screens of services and prices say (specification, 2, 5 and 8), in one place, so that languages can be added. */
import { countText } from '#contract/format.ts'

const list = (names: readonly string[]): string => names.join(', ')

export const texts = {
  raw: 'Original Service Data',
  rawBox: 'Services as the carrier offers them, side by side',
  defaults: 'Default Service Configuration',
  sync: 'Sync with Raw Services',
  none: 'No services yet',
  noneText: 'Sync takes over what the carrier offers.',
  tryAgain: 'Try again',
  dismiss: 'Dismiss',
  loading: 'Loading services…',
  upTo: (pounds: number) => `Up to ${pounds} lb`,

  card: {
    enabled: 'Enabled',
    enabledFor: (name: string) => `Enabled: ${name}`,
    needsPrices: 'Set prices first',
    vanished: 'No longer offered by the carrier',
    noPrices: 'No prices yet',
    unpriced: (heaviest: number, maxWeight: number) =>
      `Priced up to ${heaviest} lb; the carrier takes ${maxWeight} lb`,
    overpriced: (maxWeight: number) => `The carrier takes no more than ${maxWeight} lb now`,
    more: (count: number) => `and ${countText(count, 'more range')}`,
    editPrices: 'Edit prices',
    editName: 'Edit name',
  },
  name: {
    label: 'Service name',
    empty: 'Service name cannot be empty',
    save: 'Save',
    cancel: 'Cancel',
    wait: 'Please wait',
  },

  prices: {
    title: (service: string) => `Prices of ${service}`,
    rule: (maxWeight: number) => `Every whole pound from 1 to ${maxWeight} needs one price.`,
    range: (n: number) => `Range ${n}`,
    from: 'From (lb)',
    to: 'To (lb)',
    price: 'Price ($)',
    remove: (n: number) => `Remove range ${n}`,
    add: 'Add range',
    reached: (maxWeight: number) =>
      `The maximum of ${maxWeight} lb is reached already. Shorten a range to make room for another one.`,
    free: (pounds: string) => `Labels for ${pounds} will cost nothing.`,
    save: 'Save prices',
    cancel: 'Cancel',
    wait: 'Please wait until the prices are saved',
    discard: 'Discard your changes?',
    discardThing: (service: string) => `The new prices of ${service} are not saved.`,
    discardIt: 'Discard',
    keep: 'Keep editing',
  },
  coverage: {
    whole: (maxWeight: number) => `Every pound from 1 to ${maxWeight} has one price.`,
    broken: 'A range needs whole pounds, the smaller one first.',
    gap: (pounds: string) => `No price: ${pounds}`,
    overlap: (pounds: string) => `More than one price: ${pounds}`,
    beyond: (pounds: string, maxWeight: number) => `Outside 1 to ${maxWeight} lb: ${pounds}`,
    pounds: (pounds: number) => `${pounds} lb`,
  },
  preview: {
    title: 'What a parcel pays',
    parcel: 'Parcel',
    before: 'Now',
    after: 'After saving',
    change: 'Change',
    pounds: (pounds: number) => `${pounds} lb`,
    noPrice: 'No price',
    same: 'Same',
  },
  history: {
    title: 'Earlier prices',
    version: (n: number) => `Version ${n}`,
    current: 'now',
    byNobody: 'first start',
    use: 'Use these',
    useOf: (n: number) => `Use these, version ${n}`,
    failed: 'The earlier prices could not be loaded.',
    loading: 'Loading…',
  },
  synced: {
    nothing: 'Nothing has changed: the catalogue has all that the carrier offers.',
    added: (names: readonly string[]) => `New: ${list(names)}. Set prices, then enable it.`,
    vanished: (names: readonly string[]) =>
      `No longer offered: ${list(names)}. Nobody can buy it until the carrier offers it again.`,
    returned: (names: readonly string[]) => `Offered again: ${list(names)}.`,
    limit: (name: string, from: number, to: number) =>
      `New limit of ${name}: ${to} lb, was ${from} lb. Please look at its prices.`,
    category: (name: string, from: string, to: string) =>
      `New category of ${name}: ${to}, was ${from}.`,
  },
  overlay: {
    title: (user: string) => `Services of ${user}`,
    own: 'These names, switches and prices count for this user alone. Changes of the default services no longer reach this user.',
    close: 'Close',
  },
  done: {
    enabled: 'Service enabled successfully',
    disabled: 'Service disabled successfully',
    prices: 'Service prices updated successfully',
    name: 'Service name updated successfully',
    sync: 'Services synchronized successfully',
  },
  failed: {
    load: 'Failed to load services data. Please try again.',
    loadUser: 'Failed to load services',
    status: 'Failed to update service status',
    prices: 'Failed to update service prices',
    name: 'Failed to update service name',
    sync: 'Failed to sync services',
    because: (failed: string, reason: string) => `${failed}: ${reason}`,
  },
}
