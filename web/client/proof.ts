/** The question for a fresh proof of identity, which all calls that need one share. */
import { create } from 'zustand'
import type { ProofMethod } from '#contract/second-factor.ts'
import { configureSend } from './send.ts'
import { onSessionEnd } from './session.ts'

/** `methods`: with any one of them. The dialog shows while this is set. */
type ProofRequest = { methods: readonly ProofMethod[] }

export const useProofRequest = create<{ request: ProofRequest | null }>(() => ({ request: null }))

let pending: PromiseWithResolvers<boolean> | null = null
let given = 0

/** Resolves with true once the user has proved who they are, with false when they decline. */
function askForProof(methods: readonly ProofMethod[]): Promise<boolean> {
  if (!pending) {
    pending = Promise.withResolvers()
    useProofRequest.setState({ request: { methods } })
  }
  return pending.promise
}

/** For the question that is open, if any. */
export function changeProofMethods(methods: readonly ProofMethod[]): void {
  if (pending) useProofRequest.setState({ request: { methods } })
}

/** Ends the question for all calls that wait for it. Does nothing when none does. */
export function answerProof(proven: boolean): void {
  if (proven) given += 1
  useProofRequest.setState({ request: null })
  pending?.resolve(proven)
  pending = null
}

configureSend({ askForProof, proofCount: () => given })
onSessionEnd(() => answerProof(false))
