/** What the users' screens say (specification, 2, 6 and 8), in one place, so that languages can be added. */
import type { Activation, Role, UserSort } from '#contract/accounts.ts'
import { counted } from '#contract/format.ts'

export const texts = {
  title: 'User Management',
  count: (total: number) => counted(total, 'user'),
  loading: 'Loading users...',
  tryAgain: 'Try again',
  actionsOf: (name: string) => `More actions for ${name}`,
  failed: { load: 'Failed to load users', refresh: 'Error refreshing data. Please reload the page.' },
  none: { title: 'No users yet', text: 'Whoever registers appears here.' },
  noneFound: { title: 'No such users', text: 'Nobody fits what the list is narrowed to.', clear: 'Show all users' },
  columns: {
    user: 'Name', role: 'Role', balance: 'Balance', code: 'Referral code', deposited: 'Deposited', spent: 'Spent', status: 'Status',
    joined: 'Joined', actions: 'Actions',
  },
  roles: { user: 'User', friend: 'Friend', admin: 'Admin' } satisfies Record<Role, string>,
  status: { allow: 'Allowed', block: 'Blocked' } satisfies Record<Activation, string>,
  tools: {
    search: 'Search users', hint: 'Name, e-mail, referral code or id', role: 'Role', anyRole: 'All roles', status: 'Status',
    anyStatus: 'Allowed and blocked', sort: 'Sort by', clear: 'Clear filters',
  },
  sorts: {
    createdAt: 'Newest first', name: 'Name', email: 'E-mail', role: 'Role', activation: 'Status', balance: 'Largest balance',
    totalDeposit: 'Most deposited', totalSpent: 'Most spent',
  } satisfies Record<UserSort, string>,
  held: (amount: string) => `${amount} held`,
  card: {
    role: (role: string, code: string) => `${role} · ${code}`, joined: 'Joined',
    money: (deposited: string, spent: string) => `Deposited ${deposited} · Spent ${spent}`,
  },
  edit: {
    edit: 'Edit', save: 'Save', cancel: 'Cancel',
    title: (name: string) => `Edit ${name}`,
    role: 'Role', balance: 'Balance', code: 'Referral Code', reason: 'Reason',
    reasonHint: 'Stands on the wallet statement.',
    ownRole: 'You cannot change your own role. Another administrator can.',
    required: (label: string) => `${label} is required`,
    amount: 'Balance must be an amount from 0, with at most two decimals',
    question: 'Save these changes?',
    confirm: 'Save changes',
    fromTo: (from: string, to: string) => `${from} → ${to}`,
    difference: (amount: string) => `(${amount})`,
    done: 'User details updated successfully!',
    failed: 'Failed to update user details.',
    nothing: 'Nothing was changed.',
    partly: (saved: string) => `${saved} is saved, the rest is not.`,
    begun: 'Discard your changes?', discard: 'Discard', keep: 'Keep editing',
    moved: (now: string, before: string) =>
      `The balance is ${now} now, no longer ${before}. Enter it again if it should still change.`,
  },
  menu: {
    logIn: 'Log in as user', services: 'Services and prices', statement: 'Wallet statement', labels: 'Labels', audit: 'Audit',
    block: 'Block', allow: 'Allow', remove: 'Delete',
    yourself: 'This is you', administrator: 'Not for administrators', blocked: 'This user is blocked',
    underWay: 'Money is held for labels under way',
  },
  block: {
    question: 'Block this user?', confirm: 'Block',
    text: 'All sign-ins end at once, and no new one is possible until the user is allowed again. Labels already ordered are finished.',
  },
  allow: { question: 'Allow this user again?', confirm: 'Allow', text: 'The user can sign in again.' },
  remove: {
    question: 'Delete this user?', confirm: 'Delete',
    goes: 'Name, e-mail, saved addresses and SKUs are forgotten, and nobody can sign in to this account again.',
    stays: 'Orders, wallet statement and audit stay.',
    left: (amount: string) => `The remaining balance of ${amount} stays on the books.`,
  },
  who: (name: string, email: string) => `${name} (${email})`,
  logIn: {
    title: (name: string) => `Log in as ${name}?`,
    text: 'You see and do what this user can, for up to one hour. Whatever you do is recorded under both names.',
    reason: 'Reason', reasonHint: 'Optional. Kept in the audit.',
    cancel: 'Cancel', confirm: 'Log in as user', wait: 'Please wait',
    done: 'Successfully logged in as user. Redirecting...',
    failed: 'Failed to login as user',
  },
  statement: {
    back: 'All users', user: (name: string) => `Wallet of ${name}`, balance: 'Balance', held: 'Held for labels under way',
    deposited: 'Deposited', spent: 'Spent', file: 'Download CSV', labels: 'Labels', audit: 'Audit',
    failed: 'This user could not be loaded.',
    gone: 'There is no such user', goneText: 'The address may have been mistyped, or the user was deleted.',
    none: 'No movements yet', noneText: 'Nothing has moved this balance.',
  },
}
