import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseZoneFile, zoneLookup, zonesFromRows } from './zone-matrix.ts'

const Prefix = fc.integer({ min: 0, max: 999 }).map(n => String(n).padStart(3, '0'))

test('each pair of a file has its zone, and no other pair has one', () => {
  const Pairs = fc.uniqueArray(fc.tuple(Prefix, Prefix, fc.integer({ min: 1, max: 9 })), {
    minLength: 1,
    maxLength: 30,
    selector: ([from, to]) => from + to,
  })
  fc.assert(
    fc.property(Pairs, pairs => {
      const text = ['origin3,destination3,zone', ...pairs.map(one => one.join(','))].join('\r\n')
      const file = parseZoneFile(text)
      if ('problem' in file) throw new Error(file.problem)
      const { zones, pairs: count } = zonesFromRows(file.rows)
      expect([file.faultCount, file.pairs, count]).toEqual([0, pairs.length, pairs.length])
      const zoneOf = zoneLookup(zones)
      for (const [from, to, zone] of pairs) expect(zoneOf(`${from}01`, `${to}99-1234`)).toBe(zone)
      expect(zones.reduce((sum, zone) => sum + (zone > 0 ? 1 : 0), 0)).toBe(pairs.length)
    }),
    { numRuns: 20 },
  )
})

test.each([
  ['5,100,3', "origin3 is '5'; write the first three digits of the ZIP, with zeros, such as 005"],
  ['005,1000,3', "destination3 is '1000'; write the first three digits"],
  ['005,100,0', "zone is '0'; write a number from 1 to 9"],
  ['005,100', 'The line has 2 cells; write origin3, destination3 and zone, such as 005,100,3'],
])('the line %s is refused with a remedy', (line, text) => {
  const file = parseZoneFile(`origin3,destination3,zone\n001,002,3\n${line}\n`)
  expect(file).toMatchObject({ faultCount: 1 })
  expect('faults' in file && file.faults[0]).toEqual({
    line: 3,
    text: expect.stringContaining(text),
  })
})

test('a pair with two zones is refused; the same line twice is not', () => {
  expect(parseZoneFile('001,002,3\n001,002,3')).toMatchObject({ faultCount: 0, pairs: 1 })
  expect(parseZoneFile('001,002,3\n001,002,4')).toMatchObject({
    faults: [{ line: 2, text: '001 to 002 has zone 3 in a line above; keep one of the two' }],
  })
})

test('an empty file says what it lacks', () => {
  expect(parseZoneFile('\n')).toMatchObject({ problem: expect.stringContaining('origin3') })
})
