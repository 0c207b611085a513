import { expect, test } from 'vitest'
import { composeMail } from './mails.ts'

test('a mail can be read as text alone, and each of its links can be pressed', () => {
  const page = 'https://labels.example.com/track/a?b=1&c=2'
  const stop = 'https://labels.example.com/stop#token=x'
  const { text, html } = composeMail('ana@example.com', 'Your <parcel>', {
    before: ['It is on its way.'],
    link: page,
    action: 'Track the parcel',
    after: ['That page asks for no money.'],
    other: { action: 'Stop emails', link: stop },
  })
  expect(text.split('\n\n')).toEqual([
    'It is on its way.',
    page,
    'That page asks for no money.',
    `Stop emails: ${stop}`,
    'Evenpost',
  ])
  const linked = [...html.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g)]
  expect(linked.map(([, href, name]) => [href, name])).toEqual([
    ['https://labels.example.com/track/a?b=1&amp;c=2', 'Track the parcel'],
    [stop, 'Stop emails'],
    ['https://labels.example.com/track/a?b=1&amp;c=2', page.replace('&', '&amp;')],
  ])
  expect(html).toContain('<title>Your &lt;parcel&gt;</title>')
})
