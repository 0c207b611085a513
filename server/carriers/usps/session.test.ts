import { afterAll, expect, test } from 'vitest'
import { openStubServer } from '#tests/support/carriers/stub-server.ts'
import { USPS_ACCOUNT, USPS_KEYS } from '#tests/support/carriers/usps-stub.ts'
import { createUspsSession } from './session.ts'

const standIn = await openStubServer(({ path, headers }) => ({
  reply: () =>
    path === '/oauth2/v3/token'
      ? { status: 200, body: { access_token: 'fresh-access-token', expires_in: 28_799 } }
      : {
          status: 403,
          body: {
            error: {
              code: '403',
              message: `Not allowed with ${headers.authorization}`,
              errors: [],
            },
          },
        },
}))
afterAll(standIn.close)

test('a token that was just issued does not appear in the next error', async () => {
  const refusal = await createUspsSession({
    ...USPS_KEYS,
    url: standIn.urlOn(),
    account: USPS_ACCOUNT,
  }).payment()
  expect(refusal).toMatchObject({
    ok: false,
    kind: 'account',
    message: 'Not allowed with Bearer •••',
  })
})
