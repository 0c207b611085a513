import { expect, test } from 'vitest'
import { groupsOf } from './row-groups.ts'

const monthOf = (day: string) => day.slice(0, 7)

test('neighbors with one name are a group; without names all rows are one', () => {
  expect(groupsOf(['2026-11-21', '2026-11-20', '2026-10-31'], monthOf)).toMatchObject([
    { name: '2026-11', rows: ['2026-11-21', '2026-11-20'] },
    { name: '2026-10', rows: ['2026-10-31'] },
  ])
  expect(groupsOf(['b', 'a'], undefined)).toMatchObject([{ name: null, rows: ['b', 'a'] }])
  expect(groupsOf([], undefined)).toEqual([])
})

test('a new first row keeps the keys of the groups', () => {
  const keys = (rows: string[], groupOf?: typeof monthOf) =>
    groupsOf(rows, groupOf).map(({ key }) => key)
  expect(keys(['2026-11-21', '2026-11-20', '2026-10-31'], monthOf)).toEqual(
    keys(['2026-11-20', '2026-10-31'], monthOf),
  )
  expect(keys(['new', 'old'])).toEqual(keys(['old']))
})

test('groups whose name comes again have keys of their own', () => {
  const keys = groupsOf(['2026-11-21', '2026-10-31', '2026-11-20'], monthOf).map(({ key }) => key)
  expect(new Set(keys).size).toBe(3)
})
