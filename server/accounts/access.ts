/**
 * Who may call an endpoint: the rules behind `access` in the contract. Texts are shown to the user.
 */
import type { Endpoint } from '#contract/endpoint.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'

/** An administrator signed in as a user has no administrator rights. */
export function checkRole(endpoint: Endpoint, caller: Caller): void {
  if (endpoint.refusesImpersonation && caller.impersonatorId !== null)
    throw new Refusal('forbidden', 'This cannot be done while signed in as another user')
  const isAdmin = caller.role === 'admin' && caller.impersonatorId === null
  if (endpoint.access === 'admin' && !isAdmin)
    throw new Refusal('forbidden', 'This is for administrators only')
  checkAssurance(endpoint, caller)
}

/** A caller of whom nothing is known has proven nothing. */
function checkAssurance(endpoint: Endpoint, { assurance }: Caller): void {
  if (assurance?.lacksFactor && !endpoint.beforeSecondFactor)
    throw new Refusal(
      'forbidden',
      'Set up two-step sign-in first. This site requires it for your account.',
      undefined,
      undefined,
      { reason: 'second_factor_required' },
    )
  if (endpoint.proof) requireProof(assurance)
}

/** Throws Refusal 'forbidden' with reason 'proof_required'. */
export function requireProof(assurance: Caller['assurance']): void {
  if (assurance?.isProven) return
  throw new Refusal('forbidden', 'Please confirm first that it is you.', undefined, undefined, {
    reason: 'proof_required',
    methods: assurance?.methods ?? [],
  })
}

/** `userId`: the user named in the path or body, as it was sent. Applies to access 'self' only. */
export function checkOwner(endpoint: Endpoint, caller: Caller, userId: unknown): void {
  if (endpoint.access !== 'self' || userId === undefined) return
  if (userId === 'guest')
    throw new Refusal('unauthorized', 'A guest has no balance; please sign in')
  if (userId === String(caller.userId)) return
  const mayAct = endpoint.method === 'GET' || endpoint.adminMayWrite
  if (caller.role === 'admin' && caller.impersonatorId === null && mayAct) return
  throw new Refusal('forbidden', 'This belongs to another user')
}
