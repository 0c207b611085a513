/** What the administrator's dashboard says (specification, 2), in one place, so that languages can be added. */
import { countText, plural } from '#contract/format.ts'

export const texts = {
  unknown: '–',
  tryAgain: 'Try again',
  failed: 'The figures could not be loaded.',
  overview: {
    name: 'The house in figures',
    liabilities: 'Liabilities',
    owed: (available: string, held: string) =>
      `${available} in balances, ${held} held for labels under way`,
    pending: 'Deposits pending',
    onTheirWay: (count: number) =>
      count > 0
        ? `${countText(count, 'payment')} seen, not yet confirmed`
        : 'No payment is on its way',
    carrier: 'Carrier balance',
    carrierSays: 'On your account at the carrier',
    carrierPlays: 'Sandbox: play money',
    carrierSilent: 'This carrier does not tell',
    carrierAway: 'The carrier cannot be asked just now.',
    users: 'Users',
    joined: (count: number) =>
      count > 0 ? `${countText(count, 'user')} joined today` : 'Nobody joined today',
  },
  trade: {
    title: 'Trade',
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
    title: 'Waiting for you',
    none: 'Nothing waits for you',
    noneText:
      'Labels of unknown outcome, voids without an answer, deposits to review and files that could not be made appear here.',
    since: 'since',
    account: 'The carrier account needs you',
    accountText: (reason: string) =>
      `The carrier says: ${reason}. Nothing is bought until that is solved; no label fails for it.`,
    tryNow: 'Try again now',
    notTried: 'The carrier could not be tried',
    unknown: (count: number) => `${countText(count, 'label')} of unknown outcome`,
    unknownText: (count: number) =>
      `The carrier has not said whether ${plural(count, 'it was', 'they were')} bought. The money is held.`,
    voids: (count: number) => `${countText(count, 'void')} without an answer`,
    voidsText: (count: number) =>
      `The carrier has not confirmed ${plural(count, 'it', 'them')} yet. The money goes back to the customer when it has.`,
    elsewhere: (count: number) => `${countText(count, 'label')} of another carrier account`,
    elsewhereText: (accounts: string[]) =>
      `Only ${accounts.join(' and ')} can say what became of these. `
      + 'Put its key back until that is known or, if it is the same account with a new key, name it in CARRIER_SAME_ACCOUNT.',
    look: (count: number) => plural(count, 'Show the label', 'Show the labels'),
    deposits: (count: number) => `${countText(count, 'deposit')} to review`,
    paid: (amount: string) => `${amount} paid`,
    credit: (amount: string) => `Credit ${amount}`,
    creditFor: (amount: string, name: string) => `Credit ${amount} to ${name}`,
    nothingToCredit: 'No confirmed money to credit',
    takeBack: (amount: string) => `Take back ${amount}`,
    takeBackFrom: (amount: string, name: string) => `Take back ${amount} from ${name}`,
    owedBack: (amount: string) => `${amount} owed, and the balance is empty`,
    questionBack: 'Take this deposit back?',
    backThing: (amount: string, owed: string, name: string, email: string) =>
      `${amount} will be taken from the balance of ${name} (${email}).`
      + (amount === owed ? '' : ` The balance has no more: of ${owed} the rest stays owed.`),
    notTaken: 'The deposit could not be taken back',
    layAside: 'Lay aside',
    layAsideOf: (amount: string, name: string) => `Lay aside: ${amount} of ${name}`,
    questionAside: 'Lay this deposit aside?',
    asideThing: (amount: string, name: string, email: string) =>
      `${amount} paid by ${name} (${email}): nothing is credited and nothing taken back. `
      + 'It comes again when the payment service says something else of it.',
    notAside: 'The deposit could not be laid aside',
    reason: 'Reason',
    reasonHint: 'Kept in the audit.',
    reasonMissing: 'Please give a reason',
    cancel: 'Cancel',
    wait: 'Please wait',
    question: 'Credit this deposit?',
    creditThing: (amount: string, name: string, email: string) =>
      `${amount} will be added to the balance of ${name} (${email}).`,
    notCredited: 'The deposit could not be credited',
    depositsFailed: 'The deposits could not be loaded.',
    files: (count: number) => `${countText(count, 'bulk order')} without files`,
    batch: (id: string) => `Bulk order ${id}`,
    without: (labels: number, problem: string) => `${countText(labels, 'label')} · ${problem}`,
    makeAgain: 'Make again',
    makeAgainOf: (id: string) => `Make again: bulk order ${id}`,
    notMade: 'The files could not be made',
    filesFailed: 'The bulk orders could not be loaded.',
    statement: (name: string) => `${name}, statement`,
  },
  ledgerCheck: {
    title: 'The books',
    how: 'Every balance is the sum of its movements, every label was paid once. Checking reads all of them and takes a while.',
    check: 'Check the books',
    balance: 'The books balance',
    at: 'checked at',
    broken: (count: number) => `${countText(count, 'rule is', 'rules are')} broken`,
    andMore: (count: number) => `and ${countText(count, 'more', 'more')}`,
    failed: 'The books could not be checked. Please try again.',
  },
}
