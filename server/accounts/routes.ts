import type { FastifyRequest } from 'fastify'
import {
  endSessions, forgotPassword, listDevices, listUsers, login, logout, register, resetPassword, saveAccount, setActivation, setRole, verify,
} from '#contract/accounts.ts'
import type { Door } from '#server/platform/http.ts'
import { changeAccount, devicesOf, endDevice, endOtherDevices } from './account.ts'
import { giveCookie, takeCookie } from './cookie.ts'
import { askForReset, redeemLink } from './recovery.ts'
import { changeActivation, changeRole, openAccount, signIn, signOut, userOf, usersPage } from './service.ts'
import type { AccountsHouse, Visit } from './service.ts'
import { deviceWire, userLineWire, userWire } from './wire.ts'

export function accountRoutes(door: Door, house: AccountsHouse): void {
  const { db } = house.database

  door.answer(login, async ({ body, address, request, reply }) => {
    const { token, user } = await signIn(house, body.email, body.password, visit(address, request))
    giveCookie(house, reply, token)
    return { token, user: userWire(user) }
  })

  door.answer(verify, async ({ caller, token, reply }) => {
    const user = await userOf(db, caller.userId)
    giveCookie(house, reply, token)
    return { user: userWire(user), actor: null }
  })

  door.answer(register, async ({ body, address, request, reply }) => {
    const { token, user } = await openAccount(house, { ...body, referralCode: body.referralCode ?? '' }, visit(address, request))
    giveCookie(house, reply, token)
    return { ok: true, token, user: userWire(user), message: 'Welcome! Your account is open.' }
  })

  door.answer(logout, async ({ caller, token, request, reply }) => {
    await signOut(house, caller)
    takeCookie(house, request, reply, token)
    return { ok: true, message: 'You are signed out' }
  })

  door.answer(forgotPassword, async ({ body, address }) => {
    await askForReset(house, body.email, address)
    return { ok: true, message: 'If this address has an account, a mail with a link is on its way.' }
  })

  door.answer(resetPassword, async ({ body, address }) => {
    await redeemLink(house, body.token, body.password, address)
    return { ok: true, message: 'Your password is changed. Please sign in with the new one.' }
  })

  door.answer(saveAccount, async ({ body, caller }) => {
    const wish = { name: body.name, password: body.password ?? '', currentPassword: body.currentPassword ?? '' }
    return { ok: true, message: 'Account updated successfully!', user: userWire(await changeAccount(house, caller, wish)) }
  })

  door.answer(listDevices, async ({ params, caller }) =>
    ({ sessions: (await devicesOf(db, caller, Number(params.userId))).map(deviceWire) }))

  door.answer(endSessions, async ({ params, body, caller }) => {
    const userId = Number(params.userId)
    if (!body.sessionId) return signedOut(await endOtherDevices(house, caller, userId))
    await endDevice(house, caller, userId, Number(body.sessionId))
    return signedOut(1)
  })

  door.answer(listUsers, async ({ query, reply }) => {
    const { users, total } = await usersPage(db, query.page, query.limit)
    reply.header('x-total-count', String(total))
    return users.map(userLineWire)
  })

  door.answer(setRole, async ({ params, body, caller }) => {
    const user = await changeRole(house, caller, Number(params.userId), body.user_role)
    return { ok: true, message: 'User details updated successfully!', user: userWire(user) }
  })

  door.answer(setActivation, async ({ params, body, caller }) => {
    const user = await changeActivation(house, caller, Number(params.userId), body.activation)
    return { ok: true, message: 'User details updated successfully!', user: userWire(user) }
  })
}

const signedOut = (ended: number) => {
  const message = ended === 0 ? 'No other device was signed in' : ended === 1 ? '1 device is signed out' : `${ended} devices are signed out`
  return { ok: true as const, message, ended }
}

const visit = (address: string, request: FastifyRequest): Visit => ({ address, userAgent: request.headers['user-agent'] ?? '' })
