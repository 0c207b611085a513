import type { FastifyRequest } from 'fastify'
import { listUsers, login, logout, register, setActivation, setRole, verify } from '#contract/accounts.ts'
import type { Door } from '#server/platform/http.ts'
import { giveCookie, takeCookie } from './cookie.ts'
import { changeActivation, changeRole, openAccount, signIn, signOut, userOf, usersPage } from './service.ts'
import type { AccountsHouse, Visit } from './service.ts'
import { wireUser } from './wire.ts'

export function accountRoutes(door: Door, house: AccountsHouse): void {
  const { db } = house.database

  door.answer(login, async ({ body, address, request, reply }) => {
    const { token, user } = await signIn(house, body.email, body.password, visit(address, request))
    giveCookie(house, reply, token)
    return { token, user: wireUser(user) }
  })

  door.answer(verify, async ({ caller, token, reply }) => {
    const user = await userOf(db, caller.userId)
    giveCookie(house, reply, token)
    return { user: wireUser(user) }
  })

  door.answer(register, async ({ body, address, request, reply }) => {
    const { token, user } = await openAccount(house, { ...body, referralCode: body.referralCode ?? '' }, visit(address, request))
    giveCookie(house, reply, token)
    return { ok: true, token, user: wireUser(user), message: 'Welcome! Your account is open.' }
  })

  door.answer(logout, async ({ caller, token, request, reply }) => {
    await signOut(house, caller)
    takeCookie(house, request, reply, token)
    return { ok: true, message: 'You are signed out' }
  })

  door.answer(listUsers, async ({ query, reply }) => {
    const { users, total } = await usersPage(db, query.page, query.limit)
    reply.header('x-total-count', String(total))
    return users.map(wireUser)
  })

  door.answer(setRole, async ({ params, body, caller }) => {
    const user = await changeRole(house, caller, Number(params.userId), body.user_role)
    return { ok: true, message: 'User details updated successfully!', user: wireUser(user) }
  })

  door.answer(setActivation, async ({ params, body, caller }) => {
    const user = await changeActivation(house, caller, Number(params.userId), body.activation)
    return { ok: true, message: 'User details updated successfully!', user: wireUser(user) }
  })
}

const visit = (address: string, request: FastifyRequest): Visit => ({ address, userAgent: request.headers['user-agent'] ?? '' })
