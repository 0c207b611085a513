import * as z from 'zod'
import { User } from './accounts.ts'
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
  summary: 'Get a user’s referral code',
  params: UserParams,
  response: z.object({ referralCode: z.string() }),
})

export const applyReferral = defineEndpoint({
  name: 'applyReferral',
  method: 'POST',
  path: '/api/invite/referral/apply',
  access: 'signed-in',
  summary: 'Apply a referral code, once',
  body: z.object({ referralCode: z.string().max(100) }),
  response: z.object({
    success: z.literal(true),
    token: z.string(),
    user: User,
    message: z.string(),
  }),
})
