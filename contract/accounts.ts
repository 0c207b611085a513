import * as z from 'zod'
import { call, Done, DollarsOut, Id, UserParams, PageQuery } from './call.ts'

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
  balance: DollarsOut,
  referralCode: z.string(),
  totalDeposit: DollarsOut,
  totalSpent: DollarsOut,
  activation: z.enum(ACTIVATIONS),
  avatar: z.string().nullable(),
})
export type User = z.output<typeof User>

/** Shortest password accepted, longest hashed. */
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128

export const login = call({
  method: 'POST', path: '/api/auth/login', access: 'anyone', summary: 'Sign in with e-mail and password',
  body: z.object({ email: z.string().max(320), password: z.string().max(1000) }),
  answer: z.object({ token: z.string(), user: User }),
})

export const verify = call({
  method: 'GET', path: '/api/auth/verify', access: 'signed-in', summary: 'The user of the token in the header',
  answer: z.object({ user: User }),
})

export const register = call({
  method: 'POST', path: '/api/auth/register', access: 'anyone', summary: 'Open an account, signed in at once',
  body: z.object({
    name: z.string().max(1000).default(''),
    email: z.string().max(1000).default(''),
    password: z.string().max(1000).default(''),
    confirmPassword: z.string().max(1000).default(''),
    referralCode: z.string().max(100).nullish(),
  }),
  answer: z.object({ ok: z.literal(true), token: z.string(), user: User, message: z.string() }),
})

export const logout = call({
  method: 'POST', path: '/api/auth/logout', access: 'signed-in', summary: 'End this sign-in', answer: Done,
})

export const listUsers = call({
  method: 'GET', path: '/api/auth/users', access: 'admin', summary: 'All users, newest first; X-Total-Count has their number',
  query: PageQuery, answer: z.array(User),
})

export const setRole = call({
  method: 'POST', path: '/api/auth/users/role/:userId', access: 'admin', summary: "Change a user's role",
  params: UserParams, body: z.object({ user_role: z.enum(ROLES) }),
  answer: z.object({ ok: z.literal(true), message: z.string(), user: User }),
})

export const setActivation = call({
  method: 'POST', path: '/api/auth/users/activation/:userId', access: 'admin', summary: 'Block a user or allow him again',
  params: UserParams, body: z.object({ activation: z.enum(ACTIVATIONS) }),
  answer: z.object({ ok: z.literal(true), message: z.string(), user: User }),
})
