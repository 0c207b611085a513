import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dismissDeposit } from '#contract/payments.ts'
import { createStubServer } from '#tests/support/stub-http-server.ts'
import { answerProof, useProofRequest } from './proof.ts'
import { configureSend, messageOf, send } from './send.ts'
import { logOut } from './session.ts'

/** Whether the server has a fresh proof of the user. */
let proven = false
let calls = 0

const server = createStubServer((_, response) => {
  calls += 1
  response
    .writeHead(proven ? 200 : 403, { 'content-type': 'application/json' })
    .end(
      JSON.stringify(
        proven ? { ok: true, message: 'Dismissed' } : { code: 'proof_required', methods: ['totp'] },
      ),
    )
})

/** The calls that wait for the user's answer. */
let waiting = 0

beforeAll(async () => {
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { askForProof } = configureSend({ origin, getToken: () => 'abc' })
  configureSend({
    askForProof: methods => {
      waiting += 1
      return askForProof(methods)
    },
  })
})
afterAll(() => void server.close())
beforeEach(() => {
  proven = false
  calls = 0
  waiting = 0
})

const dismiss = () => send(dismissDeposit, { params: { id: '7' }, body: { reason: 'Twice' } })
const opened = () => useProofRequest.getState().request

test('several calls at once share one question, and all continue with its answer', async () => {
  const answers = [dismiss(), dismiss(), dismiss()]
  await expect.poll(() => waiting).toBe(3)
  expect(opened()).toEqual({ methods: ['totp'] })
  proven = true
  answerProof(true)
  expect(opened()).toBeNull()
  expect(await Promise.all(answers)).toEqual(Array(3).fill({ ok: true, message: 'Dismissed' }))
  expect(calls).toBe(6)
})

test('closing the question ends every call that waits for it', async () => {
  const answers = [dismiss(), dismiss()].map(call => call.catch((reason: unknown) => reason))
  await expect.poll(() => waiting).toBe(2)
  answerProof(false)
  for (const reason of await Promise.all(answers))
    expect(messageOf(reason, '')).toBe(
      'Nothing was changed, because you didn’t confirm that it’s you.',
    )
  expect(opened()).toBeNull()
})

test('signing out closes the question', async () => {
  const call = dismiss().catch((reason: unknown) => reason)
  await expect.poll(opened).not.toBeNull()
  logOut()
  expect(opened()).toBeNull()
  expect(await call).toMatchObject({ status: 403 })
})
