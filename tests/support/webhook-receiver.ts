/** A program that receives webhooks, on this machine. */
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, vi } from 'vitest'
import { createStubServer } from './stub-http-server.ts'

export type ReceivedMessage = {
  path: string
  headers: IncomingHttpHeaders
  /** As it came, for the signature. */
  text: string
  type: string
  data: Record<string, unknown>
  at: number
}

/** What it answers, and after what; 'nothing' leaves the request open. */
export type ReceiverAnswer =
  | {
      status: number
      headers?: Record<string, string>
      body?: string
      after?: Promise<void>
      afterMs?: number
    }
  | 'nothing'

export type WebhookReceiver = {
  url: string
  received: ReceivedMessage[]
  /** Most requests that were open at the same time. */
  mostOpen: () => number
  answer: (decide: (request: ReceivedMessage) => ReceiverAnswer) => void
  /** Waits for a message of the type, beyond the first `after`. */
  next: (type: string, after?: number) => Promise<ReceivedMessage>
  ofType: (type: string) => ReceivedMessage[]
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = []
  let decide: (request: ReceivedMessage) => ReceiverAnswer = () => ({ status: 204 })
  let [open, mostOpen] = [0, 0]
  const server = createStubServer((request, response) => {
    mostOpen = Math.max(mostOpen, ++open)
    response.on('close', () => open--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { type, data } = JSON.parse(text) as Pick<ReceivedMessage, 'type' | 'data'>
      const { url = '/', headers } = request
      const message = { path: url, headers, text, type, data, at: Date.now() }
      received.push(message)
      const answer = decide(message)
      if (answer === 'nothing') return
      const send = () => response.writeHead(answer.status, answer.headers).end(answer.body)
      if (answer.after) void answer.after.then(send)
      else setTimeout(send, answer.afterMs ?? 0)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const ofType = (type: string): ReceivedMessage[] => received.filter(one => one.type === type)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    mostOpen: () => mostOpen,
    answer: given => void (decide = given),
    ofType,
    next: (type, after = 0) =>
      vi.waitFor(
        () => {
          expect(ofType(type).length, `messages of ${type}`).toBeGreaterThan(after)
          return ofType(type)[after]!
        },
        { timeout: 300_000, interval: 20 },
      ),
  }
}
