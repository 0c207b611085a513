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
