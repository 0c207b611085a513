import { countText, numberText, plural } from '#contract/format.ts'

export const texts = {
  unknown: '–',
  tryAgain: 'Try again',
  failed: 'We couldn’t load the figures.',
  overview: {
    name: 'Overview',
    liabilities: 'Liabilities',
    inBalances: (available: string) => `${available} in balances`,
    allInBalances: 'All in user balances',
    onHold: (held: string) => `${held} on hold`,
    pending: 'Deposits pending',
    pendingCount: (count: number) =>
      count > 0
        ? `${countText(count, 'payment')} seen, not confirmed yet`
        : 'No payments on the way',
    carrier: 'Carrier balance',
    accountNamed: (name: string) => `Carrier balance: ${name}`,
    carrierAccount: 'In your account with the carrier',
    carrierSandbox: 'Sandbox: test money',
    carrierSilent: 'Not reported by this carrier',
    carrierUnreachable: 'We can’t reach the carrier right now.',
    day: 'day',
    lasts: (time: string) => `Lasts ${time}`,
    atPace: (perDay: string) => `at ${perDay} a day`,
    users: 'Users',
    joined: (count: number) =>
      count > 0 ? `${countText(count, 'user')} joined today` : 'No new users today',
  },
  trade: {
    title: 'Revenue, cost and margin',
    period: (days: number) => `${days} days`,
    days: 'Days shown',
    revenue: 'Revenue',
    carrierCost: 'Carrier cost',
    margin: 'Margin',
    labels: 'Labels',
    week: (perDay: string, days: number) => `Last ${days} days: ${perDay} a day.`,
    margins: (margin: string, days: number) => `${margin} margin in ${days} days`,
    ofRevenue: (share: string, revenue: string) => `${share} of ${revenue}`,
    losses: (labels: string, lost: string) => `${labels} sold below cost, ${lost} lost.`,
    label: 'label',
    adjustments: (up: string, down: string) =>
      `Balance adjustments by administrators are not included: ${up} added, ${down} removed.`,
    none: (days: number) => `No labels in ${days} days`,
    noneText: 'Revenue, carrier cost and margin are drawn here by day.',
    noneInList: 'Margins are listed here once labels are sold.',
    failed: 'We couldn’t load the revenue by day.',
    services: 'Margin by service',
    service: 'Service',
    share: 'Of revenue',
    servicesText: (days: number) => `Revenue less carrier cost, last ${days} days.`,
    customers: 'Margin by customer',
    customer: 'Customer',
    customerCount: 'customer',
    customersText: (count: number, days: number) =>
      count === 1
        ? `The customer with revenue, last ${days} days.`
        : `The ${count} with the most revenue, largest margin first, last ${days} days.`,
    statementOf: (name: string) => `${name}, statement`,
    failures: 'Failures by reason',
    showFailures: 'Show labels',
    reason: 'Reason',
    noReason: 'No reason given',
    otherReasons: 'Other reasons',
    failuresText: (labels: string, days: number) => `${labels} not bought, last ${days} days.`,
    onlyFailure: (labels: string, days: number) => `${labels} not bought in ${days} days`,
    noFailures: (days: number) => `No failed labels in ${days} days`,
    noFailuresText: 'Labels that could not be bought are counted here by reason.',
  },
  sales: {
    periods: 'Period of the sales',
    title: 'Sales',
    figure: 'Figure',
    asOf: 'As of',
    stale: 'Could not be refreshed. As of',
    period: (days: number) => (days === 1 ? 'Today' : `${days} days`),
    since: 'since',
    labels: 'Labels',
    voided: (count: number) => `${countText(count, 'label')} voided`,
    revenue: 'Revenue',
    carrierCost: 'Carrier cost',
    margin: 'Margin',
    ofRevenue: (share: string) => `${share} of revenue`,
    failureRate: 'Failure rate',
    failedLabels: (count: number) => `${countText(count, 'label')} failed`,
    deposits: 'Deposits settled',
    depositCount: (count: number) => countText(count, 'deposit'),
    takenBack: (amount: string) => `less ${amount} taken back`,
    newUsers: 'New users',
  },
  work: {
    showAll: (count: number) => `Show all ${numberText(count)}`,
    title: 'Needs your attention',
    setup: 'Before customers buy',
    setPrices: 'Set prices',
    none: 'All clear',
    noneText:
      'Unconfirmed labels and voids, deposits to review, failed files, losses and unsent emails show up here.',
    since: 'since',
    account: 'Carrier account needs attention',
    accountText: (reason: string) =>
      `The carrier says: ${reason.replace(/\.$/, '')}. Labels wait until this is fixed. None fails because of it.`,
    lossPause: 'Purchases are paused because of losses',
    lossPauseText: (reason: string) => `${reason}. Labels wait until then, and none fails.`,
    resume: 'Resume purchases',
    disputes: (count: number) => `${countText(count, 'carrier adjustment')} disputed`,
    disputesText: 'Credit the charge back, or answer the customer.',
    showDisputes: 'Open disputes',
    openLoss: (count: number) => (count === 1 ? 'Open the label' : 'Open the newest label'),
    losses: (count: number) => `${countText(count, 'label')} above the loss ceiling`,
    lossesText: (refused: number, sold: number, lost: string) =>
      [
        'In the last 7 days:',
        refused > 0 && `${countText(refused, 'label')} refused before the purchase`,
        refused > 0 && sold > 0 && 'and',
        sold > 0 && `${countText(sold, 'label')} sold for ${lost} less than the postage`,
      ]
        .filter(Boolean)
        .join(' ') + '. Check the prices of the services.',
    showPrices: 'Show the prices',
    scans: (count: number) => `${countText(count, 'voided label')} scanned by the carrier`,
    scanOf: (trackingNumber: string) => `Label ${trackingNumber}`,
    scanText: (price: string, refundedAt: string) =>
      `${price} was refunded on ${refundedAt}, and the label was used.`,
    scanStopped: (price: string) =>
      `Voided and then scanned: the refund of ${price} is stopped. Resolve the void on the label’s page.`,
    scansFailed: 'We couldn’t load the scanned labels.',
    chargeBack: (amount: string) => `Charge ${amount} back`,
    chargeBackOf: (amount: string, trackingNumber: string, name: string) =>
      `Charge ${amount} back to ${name} for the label ${trackingNumber}`,
    confirmChargeBack: 'Charge this refund back?',
    chargeBackText: (amount: string, name: string, email: string, trackingNumber: string) =>
      `${amount} will be taken from the balance of ${name} (${email}) for the label ${trackingNumber}. `
      + 'Any part the balance doesn’t cover is charged when money comes in.',
    chargeFailed: 'We couldn’t charge this label back',
    due: {
      failed: 'We couldn’t load what carriers owe.',
      title: (account: string) => `Owed by ${account}`,
      owes: (amount: string, labels: number, unknown: number) =>
        [
          `${amount} for ${countText(labels, 'voided label')}`,
          unknown > 0 && `${numberText(unknown)} of them of unknown cost`,
        ]
          .filter(Boolean)
          .join(', '),
      customers: (amount: string) => `Customers are waiting for ${amount}.`,
      age: (days: number, amount: string, labels: number) =>
        `${days === 0 ? 'This week' : `Over ${numberText(days)} days`}: ${amount}, ${countText(labels, 'label')}`,
      oldest: 'The oldest was requested',
    },
    showLabel: 'Show the label',
    showLabelOf: (trackingNumber: string) => `Show the label ${trackingNumber}`,
    retryNow: 'Try again now',
    retryFailed: 'We couldn’t try the carrier again',
    unknown: (count: number) => `${countText(count, 'label')} with unknown outcome`,
    unknownText: (count: number) =>
      `The carrier hasn’t confirmed whether ${plural(count, 'it was', 'they were')} bought. The money is on hold.`,
    voids: (count: number) => countText(count, 'unconfirmed void'),
    voidsText: (count: number) =>
      `The carrier hasn’t confirmed ${plural(count, 'it', 'them')} yet. The customer is refunded once it does.`,
    otherAccount: (count: number) => `${countText(count, 'label')} from another carrier account`,
    otherAccountText: (accounts: string[]) =>
      `Only ${accounts.join(' and ')} can confirm what happened to these. `
      + 'Restore its key until then or, if it is the same account with a new key, name it in CARRIER_SAME_ACCOUNT.',
    showLabels: (count: number) => plural(count, 'Show the label', 'Show the labels'),
    deposits: (count: number) => `${countText(count, 'deposit')} to review`,
    paid: (amount: string) => `${amount} paid`,
    credit: (amount: string) => `Credit ${amount}`,
    creditFor: (amount: string, name: string) => `Credit ${amount} to ${name}`,
    nothingToCredit: 'No confirmed money to credit',
    reverse: (amount: string) => `Take back ${amount}`,
    reverseFrom: (amount: string, name: string) => `Take back ${amount} from ${name}`,
    owed: (amount: string) => `${amount} owed, but the balance is empty`,
    confirmReverse: 'Take this deposit back?',
    reverseText: (amount: string, owed: string, name: string, email: string) =>
      `${amount} will be taken from the balance of ${name} (${email}).`
      + (amount === owed
        ? ''
        : ` The balance does not cover all of the ${owed}. The rest stays owed.`),
    reverseFailed: 'We couldn’t take the deposit back',
    dismiss: 'Dismiss',
    dismissOf: (amount: string, name: string) => `Dismiss: ${amount} from ${name}`,
    confirmDismiss: 'Dismiss this deposit?',
    dismissText: (amount: string, name: string, email: string) =>
      `${amount} paid by ${name} (${email}): nothing is credited and nothing is taken back. `
      + 'It shows up here again if the payment service reports a change.',
    dismissFailed: 'We couldn’t dismiss the deposit',
    reason: 'Reason',
    reasonHint: 'Kept in the audit.',
    reasonMissing: 'Enter a reason',
    wait: 'Saving…',
    confirmCredit: 'Credit this deposit?',
    creditText: (amount: string, name: string, email: string) =>
      `${amount} will be added to the balance of ${name} (${email}).`,
    creditFailed: 'We couldn’t credit the deposit',
    depositsFailed: 'We couldn’t load the deposits.',
    files: (count: number) => `${countText(count, 'bulk order')} without files`,
    batch: (id: string) => `Bulk order ${id}`,
    without: (labels: number, problem: string) => `${countText(labels, 'label')} · ${problem}`,
    rebuild: 'Rebuild files',
    rebuildOf: (id: string) => `Rebuild files: bulk order ${id}`,
    rebuildFailed: 'We couldn’t rebuild the files',
    filesFailed: 'We couldn’t load the bulk orders.',
    statement: (name: string) => `${name}, statement`,
  },
  balanceRequests: {
    title: (count: number) =>
      `${countText(count, 'adjustment needs', 'adjustments need')} a second administrator`,
    fromTo: (from: string, to: string, difference: string) => `${from} → ${to} (${difference})`,
    person: (name: string, email: string) => `${name} (${email})`,
    askedBy: (name: string | null, reason: string) => `Requested by ${name ?? 'you'}: ${reason}`,
    mine: 'Waiting for another administrator',
    confirm: 'Confirm',
    confirmOf: (amount: string, name: string) => `Confirm: ${amount} for ${name}`,
    decline: 'Decline',
    declineOf: (amount: string, name: string) => `Decline: ${amount} for ${name}`,
    withdraw: 'Withdraw',
    withdrawOf: (amount: string, name: string) => `Withdraw: ${amount} for ${name}`,
    withdrawQuestion: 'Withdraw this request?',
    confirmQuestion: 'Confirm this adjustment?',
    declineQuestion: 'Decline this adjustment?',
    reason: 'Reason',
    reasonHint: 'Optional. Kept in the audit.',
    failed: 'We couldn’t save your decision',
    loadFailed: 'We couldn’t load the adjustments.',
  },
  mails: {
    title: (count: number) => `${countText(count, 'email')} not sent`,
    detail: (recipient: string, attempts: number, why: string | null) =>
      `To ${recipient}, ${countText(attempts, 'attempt')}.${why ? ` ${why}` : ''}`,
    erased: 'an erased address',
    next: 'Next attempt',
    until: 'tried until',
    failedForGood: 'Not tried again',
    retry: 'Try now',
    retryFailed: 'We couldn’t try the email again',
    cancel: 'Cancel',
    remove: 'Remove',
    /** `action`: the text that the button shows; its name for screen readers and voice control begins with it. */
    nameOf: (action: string, kind: string, recipient: string) =>
      `${action}: ${kind} to ${recipient}`,
    cancelFailed: 'We couldn’t cancel the email',
    loadFailed: 'We couldn’t load the emails.',
  },
  months: {
    title: 'Books by month',
    note:
      'Newest first. Months in UTC, as in exported files. Labels are charged when they are bought: '
      + 'money on hold counts as balance. Charged and refunded include carrier adjustments.',
    file: 'Download CSV',
    fileName: 'books-by-month.csv',
    /** The month of today. */
    soFar: 'so far',
    month: 'Month',
    monthUtc: 'Month (UTC)',
    opening: 'Balances before',
    deposits: 'Deposits',
    charged: 'Charged',
    refunded: 'Refunded',
    adjusted: 'Adjusted',
    closing: 'Balances after',
    carrierCost: 'Carrier cost',
    margin: 'Margin',
    labels: 'Labels',
    voided: 'Voided',
    none: 'No months yet',
    noneText: 'The books start with the first deposit.',
    failed: 'We couldn’t load the months.',
  },
  ledgerCheck: {
    title: 'The books',
    explanation:
      'Checks that balances match their transactions and every label was paid exactly once. May take a while.',
    check: 'Check the books',
    balance: 'The books balance',
    at: 'checked at',
    broken: (count: number) => `${countText(count, 'rule is', 'rules are')} broken`,
    andMore: (count: number) => `and ${countText(count, 'more', 'more')}`,
    failed: 'We couldn’t check the books. Try again.',
  },
}
