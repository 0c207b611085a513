import { expect, test } from 'vitest'
import {
  cellsOfOptions,
  optionCellFaults,
  optionsOfCells,
  optionsText,
  parseOptionCells,
} from './label-options.ts'

test('a cell asks for a signature or Saturday delivery with the usual words of a file', () => {
  for (const text of ['yes', 'Y', 'TRUE', '1', ' x ', 'Signature', 'signature_required'])
    expect(optionsOfCells({ signature: text }).signature, text).toBe('signature')
  for (const text of ['adult', 'Adult Signature', 'ADULT_SIGNATURE'])
    expect(optionsOfCells({ signature: text }).signature, text).toBe('adult')
  for (const text of ['yes', 'true', '1', 'X', 'Saturday'])
    expect(optionsOfCells({ saturday: text }).saturday, text).toBe(true)
  for (const text of ['', ' ', 'no', 'N', 'false', '0', 'none'])
    expect(optionsOfCells({ signature: text, saturday: text }), text).toEqual({
      signature: 'none',
      saturday: false,
    })
})

test('a row without options has no keys for them, so that it is the same row as before', () => {
  expect(parseOptionCells({ ToCity: 'Bend' })).toEqual({})
  expect(parseOptionCells({ signature: 'no', saturday: false })).toEqual({})
  expect(parseOptionCells({ signature: null, saturday: 0 })).toEqual({})
  expect(parseOptionCells(null)).toEqual({})
})

test('a program may send yes as text, number or true', () => {
  for (const yes of ['yes', 1, true])
    expect(parseOptionCells({ signature: yes, saturday: yes })).toEqual({
      signature: 'signature',
      saturday: 'yes',
    })
})

test('a word that is none of these is a fault with the field, the value and the remedy', () => {
  const cells = parseOptionCells({ signature: 'maybe', saturday: ['yes'] })
  expect(optionCellFaults(cells)).toEqual({
    signature: {
      code: 'not_a_choice',
      text: "Signature 'maybe' is not yes, adult or no; type one of these, or leave it empty",
    },
    saturday: {
      code: 'not_a_choice',
      text: 'Saturday delivery \'["yes"]\' is not yes or no; type one of these, or leave it empty',
    },
  })
  expect(optionsOfCells(cells)).toEqual({ signature: 'none', saturday: false })
  const long = parseOptionCells({ signature: 'yes'.repeat(1_000_000) })
  expect(optionCellFaults(long).signature!.text.length).toBeLessThan(200)
})

test('the options of an order become cells that mean the same', () => {
  for (const signature of ['none', 'signature', 'adult'] as const)
    for (const saturday of [false, true])
      expect(optionsOfCells(cellsOfOptions({ signature, saturday }))).toEqual({
        signature,
        saturday,
      })
  expect(optionsText({ signature: 'adult', saturday: true })).toBe(
    'Adult signature (21 or older), Saturday delivery',
  )
})
