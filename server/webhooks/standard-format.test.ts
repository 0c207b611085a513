import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { secretText, STANDARD_FORMAT, wireMessageId } from './standard-format.ts'

const messageId = randomUUID()
const body = JSON.stringify({ type: 'label.bought', data: { text: 'café ✓' } })
const seconds = Math.floor(Date.now() / 1000)

test('the published library of Standard Webhooks verifies a message', () => {
  const secret = randomBytes(32)
  const headers = STANDARD_FORMAT.sign({ messageId, body, seconds, secrets: [secret] })
  expect(new Webhook(secretText(secret)).verify(body, headers)).toEqual(JSON.parse(body))
  expect(headers['webhook-id']).toBe(wireMessageId(messageId))
  expect(() => new Webhook(secretText(secret)).verify(`${body} `, headers)).toThrow()
  expect(() => new Webhook(secretText(randomBytes(32))).verify(body, headers)).toThrow()
})

test('during a change of the secret both secrets verify the message', () => {
  const [now, before] = [randomBytes(32), randomBytes(32)]
  const headers = STANDARD_FORMAT.sign({ messageId, body, seconds, secrets: [now, before] })
  expect(new Webhook(secretText(now)).verify(body, headers)).toEqual(JSON.parse(body))
  expect(new Webhook(secretText(before)).verify(body, headers)).toEqual(JSON.parse(body))
})
