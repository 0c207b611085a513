/** Keys with which a user's programs call the API. */

/** What a key may do; each call for keys needs one of them. */
export const SCOPES = [
  'labels:buy',
  'labels:read',
  'labels:void',
  'wallet:read',
  'books',
  'webhooks',
] as const
export type Scope = (typeof SCOPES)[number]

/** What every key begins with; 'live_' or 'test_' follows, by the mode of the installation. */
export const KEY_MARK = 'evp_'

/** Per user, without those that were replaced. */
export const MAX_KEYS = 20

export const KEY_NAME_MAX = 60

/** Longest time that a replaced key still works. */
export const MAX_GRACE_HOURS = 168
