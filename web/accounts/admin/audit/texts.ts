import type { AuditKind } from '#contract/audit.ts'
import { numberText, plural } from '#contract/format.ts'

export const texts = {
  title: 'Audit',
  loading: 'Loading entries...',
  count: (total: number, more: boolean) =>
    `${numberText(total)}${more ? '+' : ''} ${plural(total, 'entry', 'entries')}`,
  none: 'No entries found',
  noneText: 'Sign-ins, refusals and changes appear here. Entries are never changed or removed.',
  noneNarrowed: 'No entries match these filters.',
  clear: 'Clear filters',
  failed: 'We couldn’t load the audit',
  search: 'Search',
  hint: 'Action, name or email',
  // Entries of two users cannot be searched together.
  hintWithUser: 'Action',
  moreUsers:
    'More than 20 users match. Entries of the 20 newest are listed; type more of the name or email to see others.',
  kind: 'Kind',
  allKinds: 'All kinds',
  kinds: {
    'sign-in': 'Sign-ins',
    denied: 'Denials',
    money: 'Money',
    prices: 'Prices',
    users: 'Users',
    'log-in-as': 'Log in as user',
    labels: 'Labels',
    account: 'Account',
  } satisfies Record<AuditKind, string>,
  user: 'User',
  days: { from: 'From', to: 'Until', reversed: 'The end date is before the start date' },
  columns: { at: 'When', actor: 'By', action: 'Action', subject: 'Affected user', kind: 'Kind' },
  visitor: 'A visitor',
  system: 'System',
  own: 'Own account',
  noSubject: '–',
  about: (name: string) => `User: ${name}`,
  details: 'Details',
  open: 'Open label',
}
