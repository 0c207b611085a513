/** Customers and administrators with a second factor. */
import { expect } from 'vitest'
import { login } from '#contract/accounts.ts'
import type { SecondFactorAsked } from '#contract/accounts.ts'
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  loginSecond,
} from '#contract/second-factor.ts'
import { PASSWORD } from './app.ts'
import type { TestApp, TestUser } from './app.ts'
import { authenticatorApp, newPasskey } from './authenticator.ts'
import type { AuthenticatorApp, Passkey } from './authenticator.ts'
import type { ServerClient, SignedInUser } from './server-process.ts'

/** The address of the pages, where passkeys are possible. */
export const SITE = 'http://localhost:3000'

export type TwoStepUser = TestUser & { phone: AuthenticatorApp; recoveryCodes: string[] }

/** Sets up an authenticator app; its present code is used up. */
export async function setUpApp(
  app: Pick<ServerClient, 'call'>,
  { user, token }: SignedInUser,
): Promise<TwoStepUser> {
  const params = { userId: user._id }
  const begun = await app.call(beginTotp, { params }, token)
  expect(begun.status, begun.body.message).toBe(200)
  const phone = authenticatorApp(begun.body.secret)
  const confirm = () =>
    app.call(confirmTotp, { params, body: { code: phone.code(), name: 'My phone' } }, token)
  let confirmed = await confirm()
  // A code is right for half a minute, and a process may stand still for longer.
  for (let tries = 1; confirmed.status === 422 && tries < 3; tries++) confirmed = await confirm()
  expect(confirmed.status, confirmed.body.message).toBe(200)
  const recoveryCodes = confirmed.body.recoveryCodes ?? []
  return { user, token, password: PASSWORD, phone, recoveryCodes }
}

export const registerWithApp = async (app: TestApp, name?: string): Promise<TwoStepUser> =>
  setUpApp(app, await app.register(name))

/** Registers a passkey for a user. */
export async function setUpPasskey(
  app: TestApp,
  { user, token }: TestUser,
  passkey: Passkey = newPasskey({ origin: SITE }),
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  const params = { userId: user._id }
  const begun = await app.call(beginPasskey, { params }, token)
  expect(begun.status, begun.body.message).toBe(200)
  const added = await app.call(
    addPasskey,
    { params, body: { name: 'My laptop', response: passkey.register(begun.body.options) } },
    token,
  )
  expect(added.status, added.body.message).toBe(200)
  return { passkey, recoveryCodes: added.body.recoveryCodes }
}

/** Enters the right password; what the server asks for next. */
export async function enterPassword(
  app: Pick<ServerClient, 'call'>,
  { user }: SignedInUser,
  password = PASSWORD,
): Promise<SecondFactorAsked> {
  const { status, body } = await app.call(login, { body: { email: user.email, password } })
  expect(status, body.message).toBe(202)
  return body as SecondFactorAsked
}

/** The second step of a sign-in, each from another network. */
export const secondStep = (
  app: TestApp,
  body: Parameters<typeof app.call<typeof loginSecond>>[1]['body'],
  address?: string,
) => app.call(loginSecond, { body }, undefined, address)

/** As if time had passed: the code that was used last, and older ones, count again. */
export const forgetUsedCodes = (app: TestApp, { user }: TestUser) =>
  app.database.pool.query('update second_factor set last_step = 0 where user_id = $1', [user._id])
