import { countText, numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { MAX_RULE_DOLLARS, MAX_RULE_PERCENT } from '#contract/price-rules.ts'

const joined = (names: readonly string[]): string => names.join(', ')

const RULE_AMOUNT_WRONG = `Enter $0 to ${usdFromDollars(MAX_RULE_DOLLARS)}`

export const texts = {
  raw: 'Original Service Data',
  rawList: 'Services offered by the carrier',
  defaults: 'Default Service Configuration',
  defaultsText:
    'Applies to every customer without custom prices. A price rule follows the carrier’s cost; edited prices stay fixed.',
  parts: {
    name: 'Parts of the page',
    services: 'Services and prices',
    tables: 'Price tables',
    carrier: 'Carrier account',
    amounts: 'Limits and extras',
  },
  sync: 'Sync with Raw Services',
  none: 'No services yet',
  noneText: 'Sync to load the services the carrier offers.',
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
      `Priced up to ${heaviest} lb, but the carrier takes up to ${maxWeight} lb`,
    overpriced: (maxWeight: number) => `The carrier now takes only up to ${maxWeight} lb`,
    more: (count: number) => `and ${countText(count, 'more range')}`,
    editPrices: 'Edit prices',
    priceRule: 'Price rule',
    rule: (rule: string) => `By rule: ${rule}`,
    live: 'Follows the carrier’s live price for each parcel, kept for 24 hours.',
    sales: (days: number) => `Last ${days} days`,
    labels: 'Labels',
    revenue: 'Revenue',
    margin: 'Margin',
    steps: 'Prices by weight',
    none: '–',
    editName: 'Edit name',
    moreActions: (service: string) => `More actions for ${service}`,
    marginAt: (known: string | null) => (known ? `Margin ${known}` : 'Margin'),
    share: (share: string) => `(${share})`,
  },
  priceParts: {
    cost: 'Carrier cost',
    costAt: (pounds: number) => `Carrier cost at ${pounds} lb`,
    margin: 'Margin',
    loss: 'Loss',
    unknown: 'Unknown',
  },
  amounts: { save: 'Save', discard: 'Discard', dollar: '$' },
  options: {
    title: 'Optional extras',
    about:
      'Added to the price of a label, for all customers. An extra without a price is not offered.',
    of: (service: string) => `Optional extras for ${service}`,
    names: { signature: 'Signature', adult: 'Adult signature', saturday: 'Saturday delivery' },
    notOffered: 'Not offered',
    notAtCarrier: 'Your carrier doesn’t offer it',
    saved: 'Prices of extras saved',
    notSaved: 'We couldn’t save these prices',
    failed: 'We couldn’t load the prices of extras.',
  },
  losses: {
    title: 'Maximum loss per label',
    about: (installation: string | null) =>
      'How far the carrier’s charge may exceed the price of a label, for all customers. A label over the limit isn’t '
      + 'bought if the carrier quotes its charge first; otherwise purchases pause after the first one. '
      + (installation === null
        ? 'Leave empty for no limit.'
        : `Leave empty for ${installation}, the default of this installation.`),
    of: (service: string) => `Maximum loss per label of ${service}`,
    limit: 'Maximum loss',
    installation: (limit: string) => `${limit} (default)`,
    none: 'No limit',
    saved: 'Maximum loss saved',
    notSaved: 'We couldn’t save this limit',
    failed: 'We couldn’t load these limits.',
  },
  name: {
    label: 'Service name',
    empty: 'Service name cannot be empty',
    save: 'Save',
    cancel: 'Cancel',
    wait: 'Saving…',
  },

  prices: {
    title: (service: string) => `Prices for ${service}`,
    range: (n: number) => `Range ${n}`,
    from: 'From (lb)',
    to: 'To (lb)',
    price: 'Price ($)',
    remove: (n: number) => `Remove range ${n}`,
    add: 'Add range',
    reached: (maxWeight: number) =>
      `The ranges already go up to ${maxWeight} lb. Shorten one to make room for another.`,
    free: (pounds: string) => `Labels for ${pounds} will be free.`,
    save: 'Save prices',
    cancel: 'Cancel',
    wait: 'Saving the prices…',
    confirmDiscard: 'Discard your changes?',
    discardText: (service: string) => `The new prices for ${service} are not saved.`,
    discard: 'Discard',
    keep: 'Keep editing',
    byRule: (rule: string) =>
      `These prices follow a rule: ${rule}. Saving here ends the rule, and new costs no longer change them.`,
    table: (facts: string) =>
      `These prices are a table: ${facts}. Below is the highest price of each pound. `
      + 'Saving here replaces the table; to change it, upload a file under Price tables.',
  },
  ruleDialog: {
    title: (service: string) => `Price rule for ${service}`,
    about: 'Price = cost + percent + fixed amount, at least the lowest price, then rounded up.',
    source: 'Cost',
    sources: [
      { value: 'uploaded', text: 'Your uploaded costs' },
      { value: 'live', text: 'The carrier’s live price' },
    ] as const,
    aboutLive:
      'We ask the carrier for the cost of each parcel and keep the answer for 24 hours, so customers pay the price they saw. '
      + 'If the carrier doesn’t answer, the service has no price. The comparison uses what your carrier charged in the last 30 days.',
    percent: 'Percent (%)',
    fixed: 'Fixed amount ($)',
    floor: 'Lowest price ($)',
    rounding: 'Round up',
    roundings: [
      { value: 'cent', text: 'To the cent' },
      { value: 'five', text: 'To 5 cents' },
      { value: 'nine', text: 'To x.x9' },
    ] as const,
    example: 'Example',
    line: (pounds: number, zone: number | null, cost: string, price: string) =>
      `${pounds} lb${zone === null ? '' : `, zone ${zone}`}: cost ${cost} → price ${price}`,
    check: 'Ask the carrier',
    checkAbout: 'What the carrier charges now for the parcels of your latest labels.',
    checkFailed: 'We couldn’t reach the carrier.',
    checkNone: 'No label of this service was bought in the last 30 days.',
    checked: 'Carrier’s prices now',
    parcel: (pounds: string, from: string, to: string) => `${pounds} lb, ${from} to ${to}`,
    now: (amount: string) => `carrier ${amount}`,
    known: (amount: string) => `your costs ${amount}`,
    unknown: 'not in your costs',
    above: (amount: string) => `${amount} more than your costs`,
    noCosts: (service: string) =>
      `No costs of ${service} are known. Upload costs under Price tables on Default Services first.`,
    needsCosts: 'Upload costs first',
    failed: 'We couldn’t load the costs.',
    wrong: {
      percent: `Enter 0 to ${numberText(MAX_RULE_PERCENT)}`,
      fixed: RULE_AMOUNT_WRONG,
      floor: RULE_AMOUNT_WRONG,
    },
    compare: 'Compare prices',
    cancel: 'Cancel',
  },
  coverage: {
    whole: (maxWeight: number) => `Every pound from 1 to ${maxWeight} has one price.`,
    invalid: 'Ranges need whole pounds, the lower weight first.',
    gap: (pounds: string) => `No price: ${pounds}`,
    overlap: (pounds: string) => `More than one price: ${pounds}`,
    beyond: (pounds: string, maxWeight: number) => `Outside 1 to ${maxWeight} lb: ${pounds}`,
    pounds: (pounds: number) => `${pounds} lb`,
  },
  margin: {
    chart: 'Price by weight',
    loading: 'Loading what the carrier charged…',
    failed: 'We couldn’t load what the carrier charged.',
    sample: (labels: string) => `Carrier cost: average of ${labels}.`,
    sampleAndUploaded: (labels: string) =>
      `Carrier cost: average of ${labels}, and your uploaded cost for other weights.`,
    uploaded: 'Carrier cost: your uploaded costs, the highest zone where they differ by zone.',
    noSample: 'No labels with this service yet, so its carrier cost is unknown.',
    label: 'label',
    unknown: 'Carrier cost unknown',
    unknownFigure: 'Unknown',
    between: (low: string, high: string) => `${low} to ${high}`,
    loss: (amount: string) => `${amount} below cost`,
    lossBetween: (low: string, high: string) => `${low} to ${high} below cost`,
    mixed: (loss: string, margin: string) => `Up to ${loss} below cost, margin up to ${margin}`,
    noMargin: 'Sold at cost',
    knownFor: (weights: string) => `at ${weights}`,
    weights: (count: number, lightest: number, heaviest: number) =>
      `${count} weights from ${lightest} to ${heaviest} lb`,
  },
  parcels: {
    title: 'What a parcel pays',
    weight: 'Weight',
    price: 'Price',
    before: 'Now',
    after: 'After saving',
    change: 'Change',
    cost: 'Carrier cost',
    margin: 'Margin',
    pounds: (pounds: number) => `${pounds} lb`,
    noPrice: 'No price',
    unknown: '–',
    same: 'Same',
    losses: (pounds: string) =>
      `At these prices, labels for ${pounds} are sold below the carrier’s cost.`,
  },
  history: {
    title: 'Price history',
    version: (n: number) => `Version ${n}`,
    current: 'current',
    initial: 'initial setup',
    use: 'Use these',
    useOf: (n: number) => `Use these, version ${n}`,
    restore: 'Compare and restore',
    restoreOf: (n: number) => `Compare and restore version ${n}`,
    failed: 'We couldn’t load the price history.',
    loading: 'Loading…',
  },
  synced: {
    nothing: 'No changes. The catalog already has everything the carrier offers.',
    added: (names: readonly string[]) => `New: ${joined(names)}. Set prices, then enable.`,
    vanished: (names: readonly string[]) =>
      `No longer offered: ${joined(names)}. Customers can’t buy this until the carrier offers it again.`,
    returned: (names: readonly string[]) => `Offered again: ${joined(names)}.`,
    limit: (name: string, from: number, to: number) =>
      `New limit for ${name}: ${to} lb (was ${from} lb). Review its prices.`,
    category: (name: string, from: string, to: string) =>
      `New category for ${name}: ${to} (was ${from}).`,
  },
  overlay: {
    title: (user: string) => `Services for ${user}`,
    custom: 'This user has custom services. Changes to the defaults no longer apply.',
    defaults:
      'The default services apply to this user. Your first change creates custom services for them.',
    reset: 'Return to the defaults',
    resetQuestion: 'Return to the default services?',
    resetText: (user: string) =>
      `The current default names, switches and prices apply to ${user} at once. The custom ones stay in the audit log.`,
  },
  done: {
    enabled: 'Service enabled successfully',
    disabled: 'Service disabled successfully',
    prices: 'Service prices updated successfully',
    name: 'Service name updated successfully',
    sync: 'Services synchronized successfully',
    reset: 'The default services apply again',
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
