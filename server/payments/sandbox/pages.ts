/**
 * The sandbox's payment dialog: the script that a page loads and the page it shows in a frame, at the paths and with the surface
 * that BTCPay has, so that screens need not know which of the two they talk to. Served in sandbox mode only.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { SANDBOX_MOST } from '#contract/payments.ts'
import { SANDBOX_PAGES } from './provider.ts'

const OWN = join(import.meta.dirname, 'checkout')
const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Path below SANDBOX_PAGES to the file and its type. Colours and sizes are the product's own; so is the choice of light or dark. */
const FILES: Record<string, { file: string; type: string }> = {
  '/modal/btcpay.js': { file: join(OWN, 'btcpay.js'), type: 'text/javascript; charset=utf-8' },
  '/invoice': { file: join(OWN, 'invoice.html'), type: 'text/html; charset=utf-8' },
  '/invoice.js': { file: join(OWN, 'invoice.js'), type: 'text/javascript; charset=utf-8' },
  '/invoice.css': { file: join(OWN, 'invoice.css'), type: 'text/css; charset=utf-8' },
  '/tokens.css': { file: join(ROOT, 'web', 'ui', 'tokens.css'), type: 'text/css; charset=utf-8' },
  '/theme.js': { file: join(ROOT, 'web', 'theme.js'), type: 'text/javascript; charset=utf-8' },
}

/** The frame may load only what is ours and be shown only by our own pages. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
  + "frame-ancestors 'self'"

export function sandboxPages(app: FastifyInstance): void {
  for (const [path, { file, type }] of Object.entries(FILES)) {
    app.get(SANDBOX_PAGES + path, { schema: { hide: true } as object }, async (_request, reply) => {
      const text = await readFile(file, 'utf8')
      return reply
        .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' })
        .type(type)
        .send(text.replace('%MOST%', String(SANDBOX_MOST)))
    })
  }
}
