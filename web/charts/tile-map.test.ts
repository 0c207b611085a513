import { expect, test } from 'vitest'
import { STATES } from '#contract/states.ts'
import { neighborTile, shadeOf, shadeSteps, TILES } from './tile-map.ts'

const tileOf = (code: string): number => TILES.findIndex(tile => tile.code === code)

test('every state, DC, territory and military address has one tile of its own', () => {
  expect(TILES.map(({ code }) => code).toSorted()).toEqual(
    STATES.map(({ code }) => code).toSorted(),
  )
  expect(new Set(TILES.map(({ row, column }) => `${row}.${column}`)).size).toBe(TILES.length)
})

test('a state with one label differs from a state without any', () => {
  expect([0, 1, 10, 40, 100].map(value => shadeOf(value, 100))).toEqual([0, 1, 2, 3, 4])
  expect(shadeOf(0, 0)).toBe(0)
})

test('the legend names the labels of each shade', () => {
  expect(shadeSteps(100)).toEqual([
    { shade: 1, from: 1, to: 6 },
    { shade: 2, from: 7, to: 25 },
    { shade: 3, from: 26, to: 56 },
    { shade: 4, from: 57, to: 100 },
  ])
  expect(shadeSteps(1)).toEqual([{ shade: 4, from: 1, to: 1 }])
  for (const most of [1, 2, 7, 30, 433])
    for (const { shade, from, to } of shadeSteps(most))
      expect([shadeOf(from, most), shadeOf(to, most)]).toEqual([shade, shade])
})

test('arrow keys lead to the next state, and stay at the edge', () => {
  expect(TILES[neighborTile(tileOf('CO'), 'ArrowRight')]!.code).toBe('NE')
  expect(TILES[neighborTile(tileOf('CO'), 'ArrowUp')]!.code).toBe('WY')
  expect(TILES[neighborTile(tileOf('TX'), 'ArrowLeft')]!.code).toBe('HI')
  expect(TILES[neighborTile(tileOf('AK'), 'ArrowLeft')]!.code).toBe('AK')
})

test('every tile is reached by arrow keys', () => {
  const reached = new Set([tileOf('CA')])
  for (const tile of reached)
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'])
      reached.add(neighborTile(tile, key))
  expect(reached.size).toBe(TILES.length)
})
