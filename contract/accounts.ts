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
import { PasskeyRequestOptions } from './passkeys.ts'

export const ROLES = ['user', 'friend', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const ACTIVATIONS = ['allow', 'block'] as const
export type Activation = (typeof ACTIVATIONS)[number]

/** A user on the wire; money in dollars. */
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

export const UserSummary = z.object({ _id: Id, name: z.string(), email: z.string() })
export type UserSummary = z.output<typeof UserSummary>

/** Length limits of a password, in characters. */
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128

export const SignedIn = z.object({ token: z.string(), user: User })
export type SignedIn = z.output<typeof SignedIn>

export const SECOND_METHODS = ['totp', 'passkey', 'recovery'] as const
export type SecondMethod = (typeof SECOND_METHODS)[number]

/**
 * The password was right; `loginSecond` finishes the sign-in within five minutes.
 * `passkeyOptions`: where methods has 'passkey'.
 */
export const SecondFactorAsked = z.object({
  challenge: z.string(),
  methods: z.array(z.enum(SECOND_METHODS)),
  passkeyOptions: PasskeyRequestOptions.optional(),
})
export type SecondFactorAsked = z.output<typeof SecondFactorAsked>

export const login = defineEndpoint({
  name: 'login',
  method: 'POST',
  path: '/api/auth/login',
  access: 'anyone',
  refusals: [422],
  summary: 'Sign in with email and password',
  otherStatuses: {
    202: 'A second factor is required: challenge and methods instead of token and user',
    401: 'Wrong email or password',
    403: 'The account is blocked',
  },
  body: z.object({ email: z.string().max(320), password: z.string().max(1000) }),
  response: z.union([SignedIn, SecondFactorAsked]),
})

export const verifySession = defineEndpoint({
  name: 'verifySession',
  method: 'GET',
  path: '/api/auth/verify',
  access: 'signed-in',
  beforeSecondFactor: true,
  summary: 'Get the signed-in user',
  // `actor`: the administrator who is signed in as this user; null otherwise.
  // `secondFactorRequired`: until the user sets up a factor, other calls answer 403
  // `second_factor_required`.
  response: z.object({
    user: User,
    actor: UserSummary.nullable(),
    secondFactorRequired: z.boolean(),
  }),
})

export const register = defineEndpoint({
  name: 'register',
  method: 'POST',
  path: '/api/auth/register',
  access: 'anyone',
  refusals: [409, 422],
  summary: 'Create an account and sign in',
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
  name: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  access: 'signed-in',
  beforeSecondFactor: true,
  summary: 'Sign out',
  response: MessageResponse,
})

export const forgotPassword = defineEndpoint({
  name: 'forgotPassword',
  method: 'POST',
  path: '/api/auth/forgot-password',
  access: 'anyone',
  refusals: [422],
  summary:
    'Send a password reset link by email. The response is the same whether or not the address has an account',
  body: z.object({ email: z.string().max(1000) }),
  response: MessageResponse,
})

export const resetPassword = defineEndpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/api/auth/reset-password',
  access: 'anyone',
  refusals: [403, 422],
  summary:
    'Set a new password with the token from a reset link. The token works once; all sessions of the user end',
  body: z.object({ token: z.string().max(200), password: z.string().max(1000) }),
  response: MessageResponse,
})

export const saveAccount = defineEndpoint({
  name: 'saveAccount',
  method: 'PUT',
  path: '/api/auth/account/:userId',
  access: 'self',
  refusals: [422],
  summary:
    'Update name and password. Omitted fields stay unchanged; a new password requires currentPassword and ends all other sessions',
  params: UserParams,
  body: z.object({
    name: z.string().max(1000).optional(),
    password: z.string().max(1000).nullish(),
    currentPassword: z.string().max(1000).nullish(),
  }),
  response: z.object({ ok: z.literal(true), message: z.string(), user: User }),
})

/** A signed-in device. `device`: 'Chrome on Windows'. */
export const Device = z.object({
  _id: Id,
  device: z.string(),
  createdAt: Moment,
  /** Updated at most once a minute. */
  lastSeenAt: Moment,
  /** The session that makes the request. */
  current: z.boolean(),
  /** An administrator is signed in as this user. */
  support: z.boolean(),
})
export type Device = z.output<typeof Device>

export const listDevices = defineEndpoint({
  name: 'listDevices',
  method: 'GET',
  path: '/api/auth/sessions/:userId',
  access: 'self',
  beforeSecondFactor: true,
  summary: 'List signed-in devices, the current one first',
  params: UserParams,
  response: z.object({ sessions: z.array(Device) }),
})

export const endSessions = defineEndpoint({
  name: 'endSessions',
  method: 'POST',
  path: '/api/auth/sessions/:userId/end',
  access: 'self',
  adminMayWrite: true,
  refusesImpersonation: true,
  beforeSecondFactor: true,
  refusals: [404],
  summary: 'Sign out one device or, without sessionId, all devices except the current one',
  params: UserParams,
  body: z.object({ sessionId: Id.nullish() }).nullish(),
  response: z.object({ ok: z.literal(true), message: z.string(), ended: z.number() }),
})

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

export const USER_STATUSES = [...ACTIVATIONS, 'deleted'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/**
 * `held`: dollars held for labels being bought. `invited`: an administrator's invitation waits for
 * its password.
 */
export const AdminUser = User.extend({
  createdAt: Moment,
  held: DollarsOutput,
  emailVerified: z.boolean(),
  invited: z.boolean(),
  deleted: z.boolean(),
})
export type AdminUser = z.output<typeof AdminUser>

export const listUsers = defineEndpoint({
  name: 'listUsers',
  method: 'GET',
  path: '/api/auth/users',
  access: 'admin',
  summary:
    'List users, newest first, with their number in X-Total-Count. search matches parts of name and email, a referral code or an id. '
    + 'Deleted users are listed only with activation=deleted',
  query: PageQuery.extend({
    search: z.string().max(200).optional(),
    user_role: z.enum(ROLES).optional(),
    activation: z.enum(USER_STATUSES).optional(),
    sort: z.enum(USER_SORTS).default('createdAt'),
    order: z.enum(['asc', 'desc']).default('desc'),
  }),
  response: z.array(AdminUser),
})

/** Longest reason and referral code, in characters. */
export const REASON_MAX = 300
export const REFERRAL_CODE_MAX = 40

const OptionalReason = z.string().max(REASON_MAX).optional()
const UserResponse = MessageResponse.extend({ user: User })

export const setUserRole = defineEndpoint({
  name: 'setUserRole',
  method: 'POST',
  path: '/api/auth/users/role/:userId',
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary: "Set a user's role",
  params: UserParams,
  body: z.object({ user_role: z.enum(ROLES) }),
  response: UserResponse,
})

export const setUserActivation = defineEndpoint({
  name: 'setUserActivation',
  method: 'POST',
  path: '/api/auth/users/activation/:userId',
  access: 'admin',
  refusals: [404, 409],
  summary: 'Block or unblock a user',
  params: UserParams,
  body: z.object({ activation: z.enum(ACTIVATIONS) }),
  response: UserResponse,
})

export const setUserDetails = defineEndpoint({
  name: 'setUserDetails',
  method: 'POST',
  path: '/api/auth/users/details/:userId',
  access: 'admin',
  proof: true,
  refusals: [404, 409, 422],
  summary:
    'Set balance and/or referral code. balance is the new value; the difference is booked as an adjustment with the reason. '
    + 'With seenBalance, 409 if the balance has changed since; 403 for the own balance. Of a deleted user only the balance',
  otherStatuses: {
    202: 'Beyond the daily limit: nothing is booked until another administrator confirms',
  },
  params: UserParams,
  body: z.object({
    balance: DollarsInput.optional(),
    referralCode: z.string().max(100).optional(),
    reason: OptionalReason,
    seenBalance: DollarsInput.optional(),
  }),
  response: UserResponse,
})

/**
 * A change of a balance that waits for a second administrator. `difference` is what is booked,
 * signed. `mine`: the caller asked for it and cannot decide it.
 */
export const BalanceRequest = z.object({
  _id: Id,
  user: UserSummary,
  balance: DollarsOutput,
  difference: DollarsOutput,
  reason: z.string(),
  askedBy: UserSummary,
  askedAt: Moment,
  mine: z.boolean(),
})
export type BalanceRequest = z.output<typeof BalanceRequest>

const BALANCE_REQUESTS = '/api/admin/balance-requests'
const RequestParams = z.object({ requestId: Id })

/** `balance` of each is the available balance now. */
export const listBalanceRequests = defineEndpoint({
  name: 'listBalanceRequests',
  method: 'GET',
  path: BALANCE_REQUESTS,
  access: 'admin',
  summary: 'List changes of balances that wait for a second administrator, oldest first',
  response: z.object({ requests: z.array(BalanceRequest) }),
})

export const confirmBalanceRequest = defineEndpoint({
  name: 'confirmBalanceRequest',
  method: 'POST',
  path: `${BALANCE_REQUESTS}/:requestId/confirm`,
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Confirm and book a change of a balance. 403 for the administrator who asked and for the own balance; 409 once it is decided',
  params: RequestParams,
  response: UserResponse,
})

export const declineBalanceRequest = defineEndpoint({
  name: 'declineBalanceRequest',
  method: 'POST',
  path: `${BALANCE_REQUESTS}/:requestId/decline`,
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Decline a change of a balance; the administrator who asked withdraws it. 403 for the own balance; 409 once it is decided',
  params: RequestParams,
  body: z.object({ reason: OptionalReason }).nullish(),
  response: MessageResponse,
})

export const deleteUser = defineEndpoint({
  name: 'deleteUser',
  method: 'DELETE',
  path: '/api/auth/users/:userId',
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Delete a user. Name, email, saved addresses and SKUs are erased; orders and the books are kept. '
    + '409 while money is held for labels',
  params: UserParams,
  response: MessageResponse,
})

export const loginAs = defineEndpoint({
  name: 'loginAs',
  method: 'POST',
  path: '/api/auth/login-as-user/:userId',
  access: 'admin',
  proof: true,
  refusals: [404, 409],
  summary:
    'Sign in as a user, for a limited time and without administrator rights. Every action is recorded under both names',
  params: UserParams,
  body: z.object({ reason: OptionalReason }).nullish(),
  response: z.object({ token: z.string(), user: User, actor: UserSummary, expiresAt: Moment }),
})
