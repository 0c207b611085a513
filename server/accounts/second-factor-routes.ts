import type { Endpoint } from '#contract/endpoint.ts'
import {
  addPasskey as addPasskeyCall,
  beginPasskey,
  beginTotp,
  confirmTotp,
  listFactors,
  loginSecond,
  passkeyLogin,
  passkeyLoginOptions,
  proofOptions,
  prove,
  removeFactor,
  renameFactor,
  renewRecoveryCodes as renewRecoveryCodesCall,
} from '#contract/second-factor.ts'
import type { Factor } from '#contract/second-factor.ts'
import type { ApiRequest, Router } from '#server/platform/http/router.ts'
import { rememberBrowser } from './device-cookie.ts'
import { setDownloadCookie } from './download-cookie.ts'
import { finishSignIn, passkeySignInOptions, signInWithPasskey } from './login-challenge.ts'
import type { SignedIn } from './login-challenge.ts'
import { proofOptionsFor, proveCaller } from './proof.ts'
import type { FactorRecord } from './second-factor-store.ts'
import {
  addPasskey,
  beginPasskeySetup,
  beginTotpSetup,
  confirmTotpSetup,
  dropFactor,
  factorsOf,
  nameFactor,
  renewRecoveryCodes,
} from './second-factor.ts'
import type { AddedFactor } from './second-factor.ts'
import type { AccountsContext } from './service.ts'
import { requestOriginOf, userWire } from './wire.ts'

export function registerSecondFactorRoutes(router: Router, ctx: AccountsContext): void {
  signInRoutes(router, ctx)
  setupRoutes(router, ctx)

  router.handle(proofOptions, async ({ caller }) => proofOptionsFor(ctx, caller))

  router.handle(prove, async ({ caller, body, address, request }) => {
    await proveCaller(ctx, caller, body, requestOriginOf(address, request.headers))
    return { ok: true, message: 'Thank you. You can go on.' }
  })
}

function signInRoutes(router: Router, ctx: AccountsContext): void {
  const complete = async <E extends Endpoint>(
    { address, request, reply }: ApiRequest<E>,
    signIn: (origin: ReturnType<typeof requestOriginOf>) => Promise<SignedIn>,
  ) => {
    const origin = requestOriginOf(address, request.headers)
    const { token, user } = await signIn(origin)
    await rememberBrowser(ctx, reply, user.id, origin)
    setDownloadCookie(ctx, reply, token)
    return { token, user: userWire(user) }
  }

  router.handle(loginSecond, async input =>
    complete(input, origin => finishSignIn(ctx, input.body, origin)),
  )

  router.handle(passkeyLoginOptions, async () => passkeySignInOptions(ctx))

  router.handle(passkeyLogin, async input =>
    complete(input, origin =>
      signInWithPasskey(ctx, input.body.challenge, input.body.response, origin),
    ),
  )
}

function setupRoutes(router: Router, ctx: AccountsContext): void {
  router.handle(listFactors, async ({ params, request }) => {
    const host = request.headers.host ?? ''
    const { factors, passkeyProblem, ...rest } = await factorsOf(ctx, Number(params.userId), host)
    return {
      ...rest,
      factors: factors.map(factorWire),
      passkeysPossible: passkeyProblem === null,
      ...(passkeyProblem !== null && { passkeyProblem }),
    }
  })

  router.handle(beginTotp, async ({ caller }) => beginTotpSetup(ctx, caller))

  router.handle(confirmTotp, async ({ caller, body }) =>
    addedWire(await confirmTotpSetup(ctx, caller, body)),
  )

  router.handle(beginPasskey, async ({ caller }) => ({
    options: await beginPasskeySetup(ctx, caller),
  }))

  router.handle(addPasskeyCall, async ({ caller, body }) =>
    addedWire(await addPasskey(ctx, caller, body.name, body.response)),
  )

  router.handle(renewRecoveryCodesCall, async ({ caller }) => ({
    recoveryCodes: await renewRecoveryCodes(ctx, caller),
  }))

  router.handle(renameFactor, async ({ caller, params, body }) => ({
    ok: true,
    message: 'Name changed',
    factor: factorWire(await nameFactor(ctx, caller, Number(params.factorId), body.name)),
  }))

  router.handle(removeFactor, async ({ caller, params }) => {
    await dropFactor(ctx, caller, Number(params.factorId))
    return { ok: true, message: 'Second factor removed. All other devices are signed out.' }
  })
}

const factorWire = ({ id, createdAt, lastUsedAt, ...rest }: FactorRecord): Factor => ({
  _id: String(id),
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  ...rest,
})

const addedWire = ({ factor, recoveryCodes }: AddedFactor) => ({
  factor: factorWire(factor),
  recoveryCodes,
})
