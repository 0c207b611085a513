/** What a browser shows of a refused download that a link has opened in a new tab. */
import { PRODUCT } from '#contract/product.ts'
import type { Refusal } from './refusal.ts'

export const REFUSAL_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

const STYLE =
  ':root{color-scheme:light dark}'
  + 'body{margin:0;padding:18vh 24px 24px;font:16px/1.5 system-ui,sans-serif;text-align:center;'
  + 'background:light-dark(#faf7f1,#131210);color:light-dark(#1b1813,#f6f2e9)}'
  + 'h1{margin:0 0 8px;font-size:22px}p{max-width:460px;margin:0 auto 24px;text-wrap:balance}'
  + 'a{display:inline-block;padding:10px 20px;border-radius:10px;font-weight:600;text-decoration:none;'
  + 'background:light-dark(#1b1813,#f6f2e9);color:light-dark(#faf7f1,#131210)}'

export function refusalPage({ status, message }: Refusal): string {
  const [title, text, link, path] =
    status === 401
      ? [
          'Your session has ended',
          'Sign in again where you opened this file, then open it once more.',
          'Sign in here',
          '/login',
        ]
      : ['This file can’t be opened now', message, `Go to ${PRODUCT}`, '/main/dashboard']
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${title} · ${PRODUCT}</title><style>${STYLE}</style></head>`,
    `<body><h1>${title}</h1><p>${escape(text)}</p><a href="${path}">${link}</a></body></html>`,
  ].join('')
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, sign => ESCAPES[sign] ?? sign)
