/** The attestation of a passkey is not read: line 52 of docs/security.md. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addPasskey, beginPasskey } from '#contract/second-factor.ts'
import { testApp } from '#tests/support/app.ts'
import { newPasskey } from '#tests/support/authenticator.ts'
import { androidKey, certificate, revocationsAt } from '#tests/support/certificates.ts'
import { enterPassword, secondStep, SITE } from '#tests/support/two-step.ts'

const app = await testApp({ env: { PUBLIC_URL: SITE } })

/** Those that the library verifies, and one that it does not know. */
const FORMATS = [
  'android-key',
  'android-safetynet',
  'apple',
  'fido-u2f',
  'none',
  'packed',
  'tpm',
  'unknown',
]

/** A service in the operator's network, and the requests that it received. */
async function innerService(): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  const service = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise(done => service.once('listening', done))
  onTestFinished(() => void service.close())
  return { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/keys`, requests }
}

/** Two certificates as a caller can make them: the one of the key names the address. */
function certificatesNaming(url: string, clientDataHash: Buffer, publicKey: KeyObject): Buffer[] {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const by = { issuer: 'Eve', signedBy: root.privateKey }
  const extensions = [androidKey(clientDataHash), revocationsAt(url)]
  return [
    certificate({ ...by, subject: 'Key', publicKey, extensions }),
    certificate({ ...by, subject: 'Eve', publicKey: root.publicKey, extensions: [] }),
  ]
}

test('52 a passkey is registered without what its device says about itself, and no address in that is called', async () => {
  const { url, requests } = await innerService()
  for (const format of FORMATS) {
    const eve = await app.register()
    const params = { userId: eve.user._id }
    const { body: begun } = await app.call(beginPasskey, { params }, eve.token)
    const passkey = newPasskey({ origin: SITE })
    const response = passkey.register(begun.options, (clientDataHash, publicKey) => ({
      format,
      statement: {
        alg: -7,
        sig: randomBytes(70),
        x5c: certificatesNaming(url, clientDataHash, publicKey),
      },
    }))
    const added = await app.call(addPasskey, { params, body: { name: 'Key', response } }, eve.token)
    expect([format, added.status, requests]).toEqual([format, 200, []])

    const { challenge, passkeyOptions } = await enterPassword(app, eve)
    const signedIn = await secondStep(app, { challenge, passkey: passkey.sign(passkeyOptions!) })
    expect([format, signedIn.status]).toEqual([format, 200])
  }
})
