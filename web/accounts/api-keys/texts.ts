import { countText } from '#contract/format.ts'
import { KEY_NAME_MAX, MAX_KEYS } from '#contract/keys.ts'
import type { Scope } from '#contract/keys.ts'

/** A preset of scopes, or a choice of one's own. */
export type Access = 'read' | 'buy' | 'all' | 'custom'

const failed = 'Something went wrong. Please try again.'

/** What a scope lets a key do. */
export const SCOPE_TEXTS: Record<Scope, { name: string; explain: string }> = {
  'labels:buy': {
    name: 'Buy labels',
    explain: 'Orders single labels and bulk orders, and retries',
  },
  'labels:read': {
    name: 'Read labels',
    explain: 'Prices, orders, tracking, label files and exports',
  },
  'labels:void': { name: 'Void labels', explain: 'Voids labels for a refund' },
  'wallet:read': { name: 'Read the wallet', explain: 'Balance, statement and deposits' },
  books: { name: 'Manage addresses and SKUs', explain: 'Reads, saves and deletes them' },
  webhooks: { name: 'Manage webhooks', explain: 'Sets where events are sent' },
}

/** Usual choices of scopes. */
export const ACCESS_TEXTS: Record<Access, { name: string; explain: string }> = {
  read: { name: 'Read only', explain: 'Orders, tracking, files, balance' },
  buy: { name: 'Buy labels', explain: 'Orders labels and reads them' },
  all: { name: 'Everything', explain: 'All permissions' },
  custom: { name: 'Custom', explain: 'You choose each permission' },
}

export const texts = {
  failed,
  section: {
    name: 'API keys',
    title: 'Keys for your software',
    intro:
      'Your store, plug-in or warehouse system buys labels with a key and pays from your balance.',
    list: (count: number | undefined) => (count ? countText(count, 'key') : 'Keys'),
    docs: 'API documentation',
    docsPath: '/docs/api',
    none: 'No API keys yet',
    noneText:
      'Create a key and add it to your software. '
      + 'You choose what it can do and how much it can spend in a day.',
    create: 'Create key',
    full: `You have ${MAX_KEYS} keys. Delete one to create another.`,
    support: 'Only the user can create, rotate or delete API keys.',
    loadFailed: 'We couldn’t load your API keys.',
    columns: {
      name: 'Name',
      key: 'Key',
      access: 'Access',
      used: 'Last used',
      created: 'Created',
      actions: 'Actions',
    },
  },
  firstCall: {
    title: 'Your first call',
    copyUserId: (userId: string) => `Copy the user ID ${userId}`,
    copy: 'Copy',
    copyCommand: 'Copy the command',
    /** In place of the key, which is not shown again. */
    key: 'YOUR_KEY',
    lead: (key: string) =>
      `Run this in a terminal, with your key in place of ${key}. It shows what the key can do.`,
    /** Before the ID. */
    userId: 'Your user ID is',
    userIdHint: 'Most other calls need it in their URL.',
  },
  row: {
    expired: 'Expired',
    replaced: 'Replaced',
    used: 'Last used',
    unused: 'Never',
    neverUsed: 'Never used',
    expires: 'Expires',
    ended: 'Expired',
    worksUntil: 'Works until',
    noEnd: 'Never expires',
    limit: (limit: string, spent: string) => `${spent} of ${limit} used today`,
    noLimit: 'No daily limit',
    actionsOf: (name: string) => `Actions of ${name}`,
    rotate: 'Rotate',
    remove: 'Delete',
  },
  create: {
    title: 'Create an API key',
    name: 'Name',
    nameHint: 'The program that will use it, such as “Shop plug-in”',
    nameRequired: 'Name is required',
    nameMax: KEY_NAME_MAX,
    access: 'What the key can do',
    scopes: 'Permissions',
    scopesRequired: 'Choose at least one',
    limit: 'Daily limit in dollars',
    limitHint: 'A day starts at midnight UTC',
    limitNone: 'No limit',
    limitWrong: 'Enter an amount such as 250 or 250.50, at least 0.01',
    expires: 'Expires',
    expiresHint: 'You can delete the key at any time',
    /** `value` in days. */
    lifetimes: [
      { value: '', label: 'Never' },
      { value: '30', label: 'In 30 days' },
      { value: '90', label: 'In 90 days' },
      { value: '365', label: 'In one year' },
    ],
    once: 'You’ll see the key only once, so copy it right away.',
    submit: 'Create key',
  },
  made: {
    title: 'Copy your new key',
    text: 'This is the only time you’ll see this key. Store it where your software keeps its secrets.',
    key: 'API key',
    tryIt: 'Try it',
    saved: 'I have saved this key',
    saveFirst: 'Save the key first',
    done: 'Done',
  },
  rotate: {
    title: (name: string) => `Rotate ${name}`,
    text: 'You get a new key with the same permissions and limit. Update your software while the old key still works.',
    grace: 'The old key works for',
    /** `value` in hours. */
    graces: [
      { value: '0', label: '0 hours: it stops now' },
      { value: '1', label: '1 hour' },
      { value: '24', label: '24 hours' },
      { value: '72', label: '3 days' },
      { value: '168', label: '7 days' },
    ],
    submit: 'Rotate key',
  },
  remove: {
    question: 'Delete API key?',
    text: (name: string) =>
      `Programs that use the key ${name} stop working right away. Labels they bought stay valid.`,
    confirm: 'Delete key',
  },
}
