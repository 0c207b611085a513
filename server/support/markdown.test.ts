import { expect, test } from 'vitest'
import { renderPage } from './markdown.ts'

test('the first heading is the title, and no heading is on its level', () => {
  expect(renderPage('# Help & *more*\n\n## Labels\n\nText\n\n# Money', 'Fallback')).toMatchObject({
    title: 'Help & more',
    html: '<h2 id="labels">Labels</h2>\n<p>Text</p>\n<h2 id="money">Money</h2>\n',
  })
  expect(renderPage('Text alone', 'Terms').title).toBe('Terms')
})

test('a link leads to a part by the words of its title', () => {
  const { html } = renderPage('## Add *money*!\n\n## Add money\n\n## Content', '')
  expect(html).toBe(
    '<h2 id="add-money">Add <em>money</em>!</h2>\n<h2 id="add-money-2">Add money</h2>\n'
      + '<h2 id="content-2">Content</h2>\n',
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

test('headings of level 2 are sections, those of level 3 their questions', () => {
  const { sections } = renderPage(
    '# Help\n\nWelcome\n\n### Lost\n\nx\n\n## Labels\n\nAll of them\n\n### *Why*?\n\nSo\n\n> ### Quoted\n\n### Why\n\n# Money',
    '',
  )
  expect(sections).toEqual([
    {
      id: '',
      title: '',
      html: '<p>Welcome</p>\n',
      questions: [{ id: 'lost', title: 'Lost', html: '<p>x</p>\n' }],
    },
    {
      id: 'labels',
      title: 'Labels',
      html: '<p>All of them</p>\n',
      questions: [
        {
          id: 'why',
          title: 'Why?',
          html: '<p>So</p>\n<blockquote>\n<h3 id="quoted">Quoted</h3>\n</blockquote>\n',
        },
        { id: 'why-2', title: 'Why', html: '' },
      ],
    },
    { id: 'money', title: 'Money', html: '', questions: [] },
  ])
})

test('a first line with the day of the last change is no part of the text', () => {
  const day = (text: string) => renderPage(text, '').updatedText
  const { html, updatedText } = renderPage('# Terms\n\nLast updated: May 4, 2026\n\nPay.', '')
  expect([html, updatedText]).toEqual(['<p>Pay.</p>\n', 'May 4, 2026'])
  expect(day('*Last updated* 2026-05-04')).toBe('2026-05-04')
  for (const lineEnd of ['\n', '  \n'])
    expect(
      renderPage(`Last updated: May 4, 2026${lineEnd}You *pay* first.\n\nPrint.`, ''),
    ).toMatchObject({
      updatedText: 'May 4, 2026',
      html: '<p>You <em>pay</em> first.</p>\n<p>Print.</p>\n',
    })
  const emphasized = '*Last updated: May 4\nPay.*'
  expect(renderPage(emphasized, '')).toMatchObject({
    updatedText: null,
    html: '<p><em>Last updated: May 4\nPay.</em></p>\n',
  })
  expect(day('Pay.\n\nLast updated: May 4, 2026')).toBeNull()
  expect(day('## Last updated: May 4, 2026')).toBeNull()
  expect(day(`Last updated: ${'so often '.repeat(9)}`)).toBeNull()
})

test('a title of signs alone has an id too', () => {
  const { sections } = renderPage('# Help\n\n## ?\n\n## Part\n\n### !', 'Help')
  expect(sections.map(({ id }) => id)).toEqual(['part', 'part-2'])
  expect(sections[1]!.questions[0]!.id).toBe('part-3')
})

test('sections with one name, or with the name of a part of the page, still have an id each', () => {
  const { sections } = renderPage(
    '# Help\n\n## Labels\n\n## Labels\n\n## More\n\n## Help search\n',
    'Help',
  )
  expect(sections.map(({ id }) => id)).toEqual(['labels', 'labels-2', 'more-2', 'help-search-2'])
})
