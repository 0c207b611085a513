/** Texts of referral management. */
import { countText } from '#contract/format.ts'

export const texts = {
  title: 'Referral Management',
  explain: 'Choose a user to see their sign-ups or change their code.',
  user: 'User',
  code: 'Referral Code',
  update: 'Update Referral Code',
  required: (label: string) => `${label} is required`,
  same: 'That is already the code',
  loading: 'Loading…',
  done: 'Referral code updated successfully',
  failed: {
    invited: 'Failed to load invited users',
    code: 'Failed to load referral code',
    update: 'Failed to update referral code',
  },
  referrers: {
    title: 'Codes by sign-ups',
    user: 'User',
    code: 'Referral code',
    users: 'Sign-ups',
    deposits: 'Deposited by them',
    newest: 'Last sign-up',
    open: 'Edit code',
    openOf: (name: string) => `Edit code of ${name}`,
    deposited: (sum: string) => `${sum} deposited`,
    signUps: (count: number) => countText(count, 'sign-up'),
    failed: 'Failed to load the codes in use',
    none: 'No codes in use yet',
    noneText: 'Users whose code others signed up with appear here.',
  },
  latest: {
    title: 'Latest sign-ups',
    user: 'User',
    referrer: 'Code of',
    deposited: 'Deposited',
    at: 'Signed up',
    invitedBy: (name: string) => `Code of ${name}`,
  },
  figures: {
    codes: 'Codes in use',
    signUps: 'Sign-ups',
    recent: (days: number) => `In ${days} days`,
  },
  none: 'No invited users yet',
  noneText: 'No one has signed up with this code yet.',
}
