/**
 * Who may call an endpoint: the rules behind `access` in the contract. Texts are shown to the user.
 */
import type { Endpoint } from '#contract/endpoint.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller, CallerKey } from '#server/platform/http/router.ts'

/** An administrator signed in as a user has no administrator rights. */
export function checkRole(endpoint: Endpoint, caller: Caller): void {
  if (caller.key) checkScope(endpoint, caller.key)
  if (endpoint.refusesImpersonation && caller.impersonatorId !== null)
    throw new Refusal(
      'not_while_impersonating',
      'This cannot be done while signed in as another user',
    )
  const isAdmin = caller.role === 'admin' && caller.impersonatorId === null
  if (endpoint.access === 'admin' && !isAdmin)
    throw new Refusal('admin_only', 'This is for administrators only')
  checkAssurance(endpoint, caller)
}

/** A key cannot prove that its user is there. */
function checkScope({ scope, proof }: Endpoint, { scopes }: CallerKey): void {
  if (scope === undefined || proof)
    throw new Refusal('not_for_keys', 'API keys may not make this call. Sign in as a user instead')
  if (scope !== 'any' && !scopes.includes(scope))
    throw new Refusal('scope_missing', `This API key lacks the scope ${scope}`)
}

/** A caller of whom nothing is known has proven nothing. */
function checkAssurance(endpoint: Endpoint, { assurance }: Caller): void {
  if (assurance?.lacksFactor && !endpoint.beforeSecondFactor)
    throw new Refusal(
      'second_factor_required',
      'Set up two-step sign-in first. This site requires it for your account.',
    )
  if (endpoint.proof) requireProof(assurance)
}

/** Throws Refusal 'proof_required'. */
export function requireProof(assurance: Caller['assurance']): void {
  if (assurance?.isProven) return
  throw new Refusal('proof_required', 'Please confirm first that it is you.', {
    methods: assurance?.methods ?? [],
  })
}

/** `userId`: the user named in the path or body, as it was sent. Applies to access 'self' only. */
export function checkOwner(endpoint: Endpoint, caller: Caller, userId: unknown): void {
  if (endpoint.access !== 'self' || userId === undefined) return
  if (userId === 'guest')
    throw new Refusal('sign_in_required', 'A guest has no balance; please sign in')
  if (userId === String(caller.userId)) return
  const mayRead = endpoint.method === 'GET' && !endpoint.refusesAdministrators
  const mayAct = mayRead || endpoint.adminMayWrite
  if (caller.role === 'admin' && caller.impersonatorId === null && mayAct) return
  throw new Refusal('not_yours', 'This belongs to another user')
}
