import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fillPage, APP_PATHS } from './page-template.ts'
import type { PageFacts } from './page-template.ts'

const facts: PageFacts = {
  year: '2026',
  url: 'https://labels.example.com',
  price: null,
  flat: null,
  community: null,
  chat: null,
  pages: [],
  refunds: null,
  agreement: null,
}

test('a page shows the year and its own URL', () => {
  expect(fillPage('<link href="{{url}}/og.png"><p>© {{year}}</p>', facts)).toBe(
    '<link href="https://labels.example.com/og.png"><p>© 2026</p>',
  )
})

test('a conditional part is included only when its fact is known', () => {
  const page =
    'Start{{#community}}<a href="{{community}}">Chat</a>{{/community}}{{#price}} from {{price}}{{/price}}'
  expect(fillPage(page, facts)).toBe('Start')
  expect(fillPage(page, { ...facts, price: '$6.50' })).toBe('Start from $6.50')
  expect(fillPage(page, { ...facts, community: 'https://chat.example.com/' })).toBe(
    'Start<a href="https://chat.example.com/">Chat</a>',
  )
})

test('a part for pages without a fact is left out with it', () => {
  const page = '{{^price}}Prices soon{{/price}}{{#price}}{{price}}{{/price}}'
  expect(fillPage(page, facts)).toBe('Prices soon')
  expect(fillPage(page, { ...facts, price: '$6.50' })).toBe('$6.50')
})

test('a list is repeated for each entry, and a group shows its own facts beside the page’s', () => {
  const flat = {
    heaviest: '70',
    light: '20',
    line: '50',
    hundred: '15',
    weights: [
      { at: '0', text: '1', side: '3', left: '-1.5' },
      { at: '100', text: '<70>', side: '12', left: '94' },
    ],
    amounts: [],
    other: null,
  }
  const page =
    '{{#flat}}{{heaviest}} lb, {{year}}:{{#weights}} {{text}}@{{at}}{{/weights}}'
    + '{{#amounts}}never{{/amounts}}{{#other}}never{{/other}}{{/flat}}'
  expect(fillPage(page, { ...facts, flat })).toBe('70 lb, 2026: 1@0 &lt;70&gt;@100')
  expect(fillPage(page, facts)).toBe('')
})

test('a setting cannot inject markup into a page', () => {
  expect(
    fillPage('<a href="{{community}}">', { ...facts, community: 'https://x.example/"><script>' }),
  ).toBe('<a href="https://x.example/&quot;&gt;&lt;script&gt;">')
})

test('a dollar sign in a fact is unchanged', () => {
  expect(fillPage('{{price}}', { ...facts, price: '$&$1' })).toBe('$&amp;$1')
})

test('every path of the web app matches, and no other path', async () => {
  const routes = await readFile(join(import.meta.dirname, '..', 'web', 'routes.tsx'), 'utf8')
  const places = Array.from(routes.matchAll(/<Route path="\/([^"]+)"/g), ([, path]) => path!)
  expect(places).toContain('main')
  expect(places.filter(path => !APP_PATHS.test(path))).toEqual([])
  const lost = [
    'nothing',
    'login/more',
    'mainly',
    'wp-login.php',
    'administrator',
    'x/main',
  ].filter(path => APP_PATHS.test(path))
  expect(lost).toEqual([])
})

test('a title with braces stays as the operator wrote it', () => {
  const pages = [{ path: '/terms', title: 'Terms {{year}}' }]
  expect(fillPage('{{#pages}}{{title}}{{/pages}}', { ...facts, pages })).toBe(
    'Terms &#123;&#123;year}}',
  )
})
