import { expect, test } from 'vitest'
import { renderPage } from './markdown.ts'

test('the first heading is the title, and no heading is on its level', () => {
  expect(renderPage('# Help & *more*\n\n## Labels\n\nText\n\n# Money', 'Fallback')).toEqual({
    title: 'Help & more',
    html: '<h2 id="labels">Labels</h2>\n<p>Text</p>\n<h2 id="money">Money</h2>\n',
  })
  expect(renderPage('Text alone', 'Terms').title).toBe('Terms')
})

test('a link leads to the first part with the words of its title', () => {
  const { html } = renderPage('## Add *money*!\n\n## Add money\n\n## Content', '')
  expect(html).toBe(
    '<h2 id="add-money">Add <em>money</em>!</h2>\n<h2>Add money</h2>\n<h2>Content</h2>\n',
  )
})

test('markup of the file is text', () => {
  const { html } = renderPage('<script>alert(1)</script>\n\na <b onclick="x()">b</b>', 'Help')
  expect(html).not.toMatch(/<(script|b)/)
  expect(html).toContain('&lt;script&gt;')
})

test('links lead to pages, websites and mailboxes, and nowhere else', () => {
  const links = ['/refunds', '#labels', 'https://example.com/a', 'mailto:a@example.com']
  for (const link of links) expect(renderPage(`[x](${link})`, '').html).toContain(`href="${link}"`)
  const refused = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    'file:///etc/passwd',
    'ftp://example.com',
  ]
  for (const link of refused) expect(renderPage(`[x](${link})`, '').html).not.toContain('<a')
  expect(renderPage('[x](https://example.com)', '').html).toContain('rel="noopener nofollow"')
})

test('a picture is no picture', () => {
  expect(renderPage('![x](https://example.com/a.png)', '').html).not.toContain('<img')
})
