/**
 * The sandbox's payment dialog: a script and the page that it shows in a frame, with BTCPay's paths
 * and API, so that the web app treats both alike. Served in sandbox mode only.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { SANDBOX_MAX_DOLLARS } from '#contract/payments.ts'
import { PROJECT_FOLDER } from '#server/platform/process/project-folder.ts'
import { SANDBOX_PAGES } from './provider.ts'

const CHECKOUT_DIR = join(PROJECT_FOLDER, 'server', 'payments', 'sandbox', 'checkout')

const font = (name: string) => ({
  file: join(PROJECT_FOLDER, 'node_modules', '@fontsource-variable', name),
  type: 'font/woff2',
})

const CHECKOUT_FILES: Record<string, { file: string; type: string }> = {
  '/modal/btcpay.js': {
    file: join(CHECKOUT_DIR, 'btcpay.js'),
    type: 'text/javascript; charset=utf-8',
  },
  '/invoice': { file: join(CHECKOUT_DIR, 'invoice.html'), type: 'text/html; charset=utf-8' },
  '/invoice.js': { file: join(CHECKOUT_DIR, 'invoice.js'), type: 'text/javascript; charset=utf-8' },
  '/invoice.css': { file: join(CHECKOUT_DIR, 'invoice.css'), type: 'text/css; charset=utf-8' },
  '/tokens.css': {
    file: join(PROJECT_FOLDER, 'web', 'ui', 'tokens.css'),
    type: 'text/css; charset=utf-8',
  },
  '/fonts/text.woff2': font('geist/files/geist-latin-wght-normal.woff2'),
  '/fonts/head.woff2': font(
    'bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
  ),
  '/fonts/mono.woff2': font('geist-mono/files/geist-mono-latin-wght-normal.woff2'),
  '/theme.js': {
    file: join(PROJECT_FOLDER, 'web', 'theme.js'),
    type: 'text/javascript; charset=utf-8',
  },
}

const CHECKOUT_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
  + "frame-ancestors 'self'"

export function sandboxPages(app: FastifyInstance): void {
  for (const [path, { file, type }] of Object.entries(CHECKOUT_FILES)) {
    const route = { config: { limit: 'files' as const } }
    app.get(SANDBOX_PAGES + path, route, async (_request, reply) => {
      const bytes = await readFile(file)
      const isFont = type.startsWith('font/')
      return reply
        .headers({
          'content-security-policy': CHECKOUT_CSP,
          'cache-control': isFont ? 'public, max-age=86400' : 'no-cache',
        })
        .type(type)
        .send(
          isFont ? bytes : bytes.toString('utf8').replace('%MOST%', String(SANDBOX_MAX_DOLLARS)),
        )
    })
  }
}
