import * as z from 'zod'
import {
  defineEndpoint,
  MessageResponse,
  DollarsInput,
  DollarsOutput,
  Id,
  Moment,
  UserParams,
  PageQuery,
} from './endpoint.ts'

/** Roles of the specification, 6. */
export const ROLES = ['user', 'friend', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const ACTIVATIONS = ['allow', 'block'] as const
export type Activation = (typeof ACTIVATIONS)[number]

/** A user as the wire knows him (specification, 3); money in dollars. */
export const User = z.object({
  _id: Id,
  name: z.string(),
  email: z.string(),
  user_role: z.enum(ROLES),
  balance: DollarsOutput,
  referralCode: z.string(),
  totalDeposit: DollarsOutput,
  totalSpent: DollarsOutput,
  activation: z.enum(ACTIVATIONS),
  avatar: z.string().nullable(),
})
export type User = z.output<typeof User>

/** A person in a few words: who did something, or whom it was about. */
export const UserSummary = z.object({ _id: Id, name: z.string(), email: z.string() })
export type UserSummary = z.output<typeof UserSummary>

/** Shortest password accepted, longest hashed. */
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128

export const login = defineEndpoint({
  method: 'POST',
  path: '/api/auth/login',
  access: 'anyone',
  summary: 'Sign in with e-mail and password',
  otherStatuses: { 401: 'Wrong e-mail or password', 403: 'The account is blocked' },
  body: z.object({ email: z.string().max(320), password: z.string().max(1000) }),
  response: z.object({ token: z.string(), user: User }),
})

export const verifySession = defineEndpoint({
  method: 'GET',
  path: '/api/auth/verify',
  access: 'signed-in',
  summary: 'The user of the token in the header',
  // `actor`: the administrator behind a log-in-as-user; null where users are themselves.
  response: z.object({ user: User, actor: UserSummary.nullable() }),
})

export const register = defineEndpoint({
  method: 'POST',
  path: '/api/auth/register',
  access: 'anyone',
  summary: 'Open an account, signed in at once',
  body: z.object({
    name: z.string().max(1000).default(''),
    email: z.string().max(1000).default(''),
    password: z.string().max(1000).default(''),
    confirmPassword: z.string().max(1000).default(''),
    referralCode: z.string().max(100).nullish(),
  }),
  response: z.object({ ok: z.literal(true), token: z.string(), user: User, message: z.string() }),
})

export const logout = defineEndpoint({
  method: 'POST',
  path: '/api/auth/logout',
  access: 'signed-in',
  summary: 'End this sign-in',
  response: MessageResponse,
})

export const forgotPassword = defineEndpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  access: 'anyone',
  summary:
    'Mail a link that sets a new password; the answer is the same whether the address has an account or not',
  body: z.object({ email: z.string().max(1000) }),
  response: MessageResponse,
})

export const resetPassword = defineEndpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  access: 'anyone',
  summary:
    'Set a new password with the token of a mailed link, once; ends all sign-ins of the user',
  body: z.object({ token: z.string().max(200), password: z.string().max(1000) }),
  response: MessageResponse,
})

export const saveAccount = defineEndpoint({
  method: 'PUT',
  path: '/api/auth/account/:userId',
  access: 'self',
  summary:
    'Change name and password; an empty password keeps the old one, a new one asks for the current and ends the other sign-ins',
  params: UserParams,
  body: z.object({
    name: z.string().max(1000),
    password: z.string().max(1000).nullish(),
    currentPassword: z.string().max(1000).nullish(),
  }),
  response: z.object({ ok: z.literal(true), message: z.string(), user: User }),
})

/** A device that is signed in. `device` is for people: 'Chrome on Windows'. */
export const Device = z.object({
  _id: Id,
  device: z.string(),
  createdAt: Moment,
  /** Written down at most once a minute. */
  lastSeenAt: Moment,
  /** The sign-in that asks. */
  current: z.boolean(),
  /** An administrator who is signed in as this user. */
  support: z.boolean(),
})
export type Device = z.output<typeof Device>

export const listDevices = defineEndpoint({
  method: 'GET',
  path: '/api/auth/sessions/:userId',
  access: 'self',
  summary: 'The devices that are signed in, this one first',
  params: UserParams,
  response: z.object({ sessions: z.array(Device) }),
})

export const endSessions = defineEndpoint({
  method: 'POST',
  path: '/api/auth/sessions/:userId/end',
  access: 'self',
  adminMayWrite: true,
  refusesImpersonation: true,
  summary: 'Sign one device out or, without an id, all but the one that asks',
  params: UserParams,
  body: z.object({ sessionId: Id.nullish() }).nullish(),
  response: z.object({ ok: z.literal(true), message: z.string(), ended: z.number() }),
})

/** What a list of users can be sorted by. */
export const USER_SORTS = [
  'createdAt',
  'name',
  'email',
  'role',
  'activation',
  'balance',
  'totalDeposit',
  'totalSpent',
] as const
export type UserSort = (typeof USER_SORTS)[number]

/** A user as administrators see him. `held`: dollars put aside for labels under way. */
export const AdminUser = User.extend({ createdAt: Moment, held: DollarsOutput })
export type AdminUser = z.output<typeof AdminUser>

export const listUsers = defineEndpoint({
  method: 'GET',
  path: '/api/auth/users',
  access: 'admin',
  summary:
    'All users, newest first; X-Total-Count has their number. search finds parts of name and e-mail, a referral code, an id',
  query: PageQuery.extend({
    search: z.string().max(200).optional(),
    user_role: z.enum(ROLES).optional(),
    activation: z.enum(ACTIVATIONS).optional(),
    sort: z.enum(USER_SORTS).default('createdAt'),
    order: z.enum(['asc', 'desc']).default('desc'),
  }),
  response: z.array(AdminUser),
})

/** Letters of a reason that an administrator gives, and of a referral code. */
export const REASON_MAX = 300
export const REFERRAL_CODE_MAX = 40

const OptionalReason = z.string().max(REASON_MAX).optional()
const UserResponse = MessageResponse.extend({ user: User })

export const setUserRole = defineEndpoint({
  method: 'POST',
  path: '/api/auth/users/role/:userId',
  access: 'admin',
  summary: "Change a user's role",
  params: UserParams,
  body: z.object({ user_role: z.enum(ROLES) }),
  response: UserResponse,
})

export const setUserActivation = defineEndpoint({
  method: 'POST',
  path: '/api/auth/users/activation/:userId',
  access: 'admin',
  summary: 'Block a user or allow him again',
  params: UserParams,
  body: z.object({ activation: z.enum(ACTIVATIONS) }),
  response: UserResponse,
})

export const setUserDetails = defineEndpoint({
  method: 'POST',
  path: '/api/auth/users/details/:userId',
  access: 'admin',
  summary:
    'Set balance and/or referral code. balance is the wanted value; the difference is booked as an adjustment with the reason. '
    + 'With seenBalance, 409 when the balance is no longer that',
  params: UserParams,
  body: z.object({
    balance: DollarsInput.optional(),
    referralCode: z.string().max(100).optional(),
    reason: OptionalReason,
    seenBalance: DollarsInput.optional(),
  }),
  response: UserResponse,
})

export const deleteUser = defineEndpoint({
  method: 'DELETE',
  path: '/api/auth/users/:userId',
  access: 'admin',
  summary:
    'Delete a user: his name and address are forgotten, his orders and the books stay. '
    + '409 while money is held for labels under way',
  params: UserParams,
  response: MessageResponse,
})

export const loginAs = defineEndpoint({
  method: 'POST',
  path: '/api/auth/login-as-user/:userId',
  access: 'admin',
  summary:
    'A short sign-in as this user, not as an administrator; all that is done in it is recorded under both',
  params: UserParams,
  body: z.object({ reason: OptionalReason }).nullish(),
  response: z.object({ token: z.string(), user: User, actor: UserSummary, expiresAt: Moment }),
})
