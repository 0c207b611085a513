import {
  endSessions,
  forgotPassword,
  listDevices,
  login,
  logout,
  register,
  resetPassword,
  saveAccount,
  verify,
} from '#contract/accounts.ts'
import type { Door } from '#server/platform/http.ts'
import { changeAccount, devicesOf, endDevice, endOtherDevices } from './account.ts'
import { accountAdminRoutes } from './admin-routes.ts'
import { giveCookie, takeCookie } from './cookie.ts'
import { askForReset, redeemLink } from './recovery.ts'
import { openAccount, signIn, signOut, userOf } from './service.ts'
import type { AccountsHouse } from './service.ts'
import { deviceWire, personWire, userWire, visitOf } from './wire.ts'

export function accountRoutes(door: Door, house: AccountsHouse): void {
  const { db } = house.database
  accountAdminRoutes(door, house)

  door.answer(login, async ({ body, address, request, reply }) => {
    const { token, user } = await signIn(
      house,
      body.email,
      body.password,
      visitOf(address, request.headers),
    )
    giveCookie(house, reply, token)
    return { token, user: userWire(user) }
  })

  door.answer(verify, async ({ caller, token, reply }) => {
    const user = await userOf(db, caller.userId)
    const actor = caller.actorId === null ? null : personWire(await userOf(db, caller.actorId))
    giveCookie(house, reply, token)
    return { user: userWire(user), actor }
  })

  door.answer(register, async ({ body, address, request, reply }) => {
    const { token, user } = await openAccount(
      house,
      { ...body, referralCode: body.referralCode ?? '' },
      visitOf(address, request.headers),
    )
    giveCookie(house, reply, token)
    return { ok: true, token, user: userWire(user), message: 'Welcome! Your account is open.' }
  })

  door.answer(logout, async ({ caller, token, address, request, reply }) => {
    await signOut(house, caller, visitOf(address, request.headers))
    takeCookie(house, request, reply, token)
    return { ok: true, message: 'You are signed out' }
  })

  door.answer(forgotPassword, async ({ body, address, request }) => {
    await askForReset(house, body.email, visitOf(address, request.headers))
    return {
      ok: true,
      message: 'If this address has an account, a mail with a link is on its way.',
    }
  })

  door.answer(resetPassword, async ({ body, address, request }) => {
    await redeemLink(house, body.token, body.password, visitOf(address, request.headers))
    return { ok: true, message: 'Your password is changed. Please sign in with the new one.' }
  })

  door.answer(saveAccount, async ({ body, caller }) => {
    const wish = {
      name: body.name,
      password: body.password ?? '',
      currentPassword: body.currentPassword ?? '',
    }
    return {
      ok: true,
      message: 'Account updated successfully!',
      user: userWire(await changeAccount(house, caller, wish)),
    }
  })

  door.answer(listDevices, async ({ params, caller }) => ({
    sessions: (await devicesOf(db, caller, Number(params.userId))).map(deviceWire),
  }))

  door.answer(endSessions, async ({ params, body, caller }) => {
    const userId = Number(params.userId)
    if (!body?.sessionId) return signedOut(await endOtherDevices(house, caller, userId))
    await endDevice(house, caller, userId, Number(body.sessionId))
    return signedOut(1)
  })
}

const signedOut = (ended: number) => {
  const message =
    ended === 0
      ? 'No other device was signed in'
      : ended === 1
        ? '1 device is signed out'
        : `${ended} devices are signed out`
  return { ok: true as const, message, ended }
}
