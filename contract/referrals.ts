import * as z from 'zod'
import { User, UserSummary } from './accounts.ts'
import { defineEndpoint, DollarsOutput, Moment, PageQuery, UserParams } from './endpoint.ts'

export const InvitedUser = z.object({
  name: z.string(),
  registeredDate: Moment,
  totalDeposit: DollarsOutput,
})
export type InvitedUser = z.output<typeof InvitedUser>

export const invitedUsers = defineEndpoint({
  name: 'invitedUsers',
  method: 'GET',
  path: '/api/invite/:userId',
  access: 'self',
  refusals: [404],
  summary: 'List users who signed up with a user’s referral code, newest first',
  params: UserParams,
  query: PageQuery,
  response: z.array(InvitedUser),
})

export const invitedTotals = defineEndpoint({
  name: 'invitedTotals',
  method: 'GET',
  path: '/api/invite/totals/:userId',
  access: 'self',
  refusals: [404],
  summary: 'Count the users who signed up with a user’s referral code, and add up their deposits',
  params: UserParams,
  response: z.object({
    users: z.number(),
    // Null: too many users to add up at each call.
    totalDeposit: DollarsOutput.nullable(),
  }),
})

export const referralCode = defineEndpoint({
  name: 'referralCode',
  method: 'GET',
  path: '/api/invite/referral/:userId',
  access: 'self',
  refusals: [404],
  summary: 'Get a user’s referral code',
  params: UserParams,
  response: z.object({ referralCode: z.string() }),
})

export const applyReferral = defineEndpoint({
  name: 'applyReferral',
  method: 'POST',
  path: '/api/invite/referral/apply',
  access: 'signed-in',
  refusals: [422],
  summary: 'Apply a referral code, once',
  body: z.object({ referralCode: z.string().max(100) }),
  response: z.object({
    success: z.literal(true),
    token: z.string(),
    user: User,
    message: z.string(),
  }),
})

/** The sign-ups that `listReferrers` counts: the newest of all. */
export const COUNTED_SIGN_UPS = 10_000
/** Those of so many days are counted on their own. */
export const RECENT_SIGN_UP_DAYS = 30
/** So many weeks back they are counted by week: half a year. */
export const SIGN_UP_WEEKS = 26

/** `users`: who signed up with the code; `totalDeposit`: of them; `newestAt`: the last sign-up. */
export const Referrer = z.object({
  user: UserSummary,
  referralCode: z.string(),
  users: z.number(),
  totalDeposit: DollarsOutput,
  newestAt: Moment,
})
export type Referrer = z.output<typeof Referrer>

/** A user who signed up with the code of `referrer`. */
export const SignUp = z.object({
  user: UserSummary,
  referrer: UserSummary,
  totalDeposit: DollarsOutput,
  at: Moment,
})
export type SignUp = z.output<typeof SignUp>

/** `latest`: so many of the newest sign-ups. */
export const LATEST_SIGN_UPS = 5

export const listReferrers = defineEndpoint({
  name: 'listReferrers',
  method: 'GET',
  path: '/api/admin/referrers',
  access: 'admin',
  summary:
    'List users by how many signed up with their code, of the newest 10,000 such sign-ups; the most first',
  query: z.object({
    page: z.coerce.number().int().min(1).max(10_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(10),
  }),
  response: z.object({
    referrers: z.array(Referrer),
    totalCount: z.number(),
    signUps: z.number(),
    recentSignUps: z.number(),
    signUpsPerWeek: z.array(z.number()),
    latest: z.array(SignUp),
  }),
})
