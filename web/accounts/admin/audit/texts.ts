/** What the audit screen says. */
import type { AuditKind } from '#contract/audit.ts'
import { numberText, plural } from '#contract/format.ts'
import { PRODUCT } from '#contract/product.ts'

export const texts = {
  title: 'Audit',
  loading: 'Loading entries...',
  count: (total: number, more: boolean) =>
    `${numberText(total)}${more ? '+' : ''} ${plural(total, 'entry', 'entries')}`,
  none: 'No entries found',
  noneText:
    'Sign-ins, refusals and changes by anybody appear here. They are never changed or removed.',
  noneNarrowed: 'Nothing fits all of what the list is narrowed to.',
  clear: 'Clear filters',
  failed: 'The audit could not be loaded',
  tryAgain: 'Try again',
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
  user: 'Who or whom',
  days: { from: 'From', to: 'Until', reversed: 'This day is before the first' },
  columns: { at: 'When', who: 'Who', what: 'What', whom: 'Whom', kind: 'Kind' },
  visitor: 'A visitor',
  system: `${PRODUCT} itself`,
  own: 'Own account',
  nobody: '–',
  about: (name: string, email: string) => `about ${name} · ${email}`,
  details: 'Details',
  open: 'Open label',
}
