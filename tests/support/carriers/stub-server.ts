/**
 * An HTTP server in place of a carrier. How it behaves is a part of the address of a request, so that several behaviors share its records.
 */
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { crc32, deflateSync } from 'node:zlib'
import type { CarrierLabelFormat } from '#server/carriers/port.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { createStubServer } from '#tests/support/stub-http-server.ts'

/** `body`: the JSON of the request; undefined without one. */
export type StubRequest = {
  behavior: CarrierBehavior
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: unknown
}
export type StubReply = {
  status: number
  body?: unknown
  headers?: Record<string, string>
  bytes?: Uint8Array
  type?: string
}

/** The response to a request. `kind`: if it buys, voids or makes a form, which the behavior may break. */
export type StubAction = {
  kind?: 'buy' | 'void' | 'form'
  reply: () => StubReply | Promise<StubReply>
}

export type StubServer = {
  /** Its address for this behavior; without one the behavior is drawn for each request that buys. */
  urlOn(behavior?: CarrierBehavior): string
  close(): Promise<void>
}

/** Nothing listens there, and the system gives it to no program that asks for a free port. */
const UNUSED_PORT = 2

const WEB_PAGE = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'

/** `drawBehavior`: for a request that buys at the address without a behavior. */
export async function openStubServer(
  serve: (request: StubRequest) => StubAction,
  drawBehavior: (request: StubRequest) => CarrierBehavior = () => 'fine',
): Promise<StubServer> {
  const hanging = new Set<ServerResponse>()

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url!, 'http://localhost')
    const named = /^\/on\/([a-z-]+)(\/.*)$/.exec(url.pathname)
    const sent = await text(incoming)
    const request: StubRequest = {
      behavior: (named?.[1] ?? 'fine') as CarrierBehavior,
      method: incoming.method!,
      path: named?.[2] ?? url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: sent === '' ? undefined : (JSON.parse(sent) as unknown),
    }
    const { kind } = serve(request)
    if (!named && kind === 'buy') request.behavior = drawBehavior(request)
    const { behavior } = request
    if (kind === 'buy' && behavior === 'resets-before') return void incoming.socket.destroy()
    const reply = await serve(request).reply()
    if (kind === 'void' && behavior === 'void-lost') return void incoming.socket.destroy()
    if (kind === 'form' && behavior === 'form-lost') return void incoming.socket.destroy()
    if (kind !== 'buy') return send(response, reply)
    switch (behavior) {
      case 'resets-after':
        return void incoming.socket.destroy()
      case 'error-after':
        return send(response, {
          status: 500,
          body: { error: { code: '500', message: 'Internal error' } },
        })
      case 'page-after':
        return send(response, { status: 502, type: 'text/html', bytes: Buffer.from(WEB_PAGE) })
      case 'cut-after': {
        const whole = Buffer.from(JSON.stringify(reply.body))
        return send(response, { ...reply, bytes: whole.subarray(0, whole.length / 2) })
      }
      case 'nonsense-after':
        return send(response, { status: 200, body: { hello: ['world'] } })
      case 'late':
        return void hanging.add(response)
      default:
        return send(response, reply)
    }
  }

  const server = createStubServer((request, response) => {
    respond(request, response).catch((error: unknown) =>
      send(response, { status: 599, body: { broken: String(error) } }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlOn: behavior =>
      `http://127.0.0.1:${behavior === 'away' ? UNUSED_PORT : port}${behavior === undefined ? '' : `/on/${behavior}`}`,
    async close() {
      for (const response of hanging) response.destroy()
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
}

function send(response: ServerResponse, { status, body, bytes, headers, type }: StubReply): void {
  const content = bytes ?? Buffer.from(body === undefined ? '' : JSON.stringify(body))
  response
    .writeHead(status, { 'content-type': type ?? 'application/json', ...headers })
    .end(content)
}

/** A label of 4 by 6 inches with this text, as a carrier would send it. The picture has its text as a comment. */
export function labelFile(words: string, format: CarrierLabelFormat = 'pdf'): Buffer {
  if (format === 'zpl') return Buffer.from(`^XA^PW812^LL1218^FO30,30^A0N,40,40^FD${words}^FS^XZ\n`)
  return format === 'png' ? labelPicture(words) : labelPdf(words)
}

/** White, with a black line across; 812 x 1218 dots. */
function labelPicture(words: string): Buffer {
  const rows = Buffer.alloc(103 * 1218, 0xff)
  for (let row = 0; row < 1218; row++) rows[row * 103] = 0
  rows.fill(0, 600 * 103, 604 * 103)
  const chunk = (kind: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(kind), data])
    const framed = Buffer.alloc(body.length + 8)
    framed.writeUInt32BE(data.length)
    body.copy(framed, 4)
    framed.writeUInt32BE(crc32(body), body.length + 4)
    return framed
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from('0000032c000004c20100000000', 'hex')),
    chunk('tEXt', Buffer.from(`Comment\0${words}`)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function labelPdf(words: string): Buffer {
  const content = `BT /F1 14 Tf 20 400 Td (${words}) Tj ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 432]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const rows = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const end = `trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 6\n0000000000 65535 f \n${rows}${end}`, 'latin1')
}
