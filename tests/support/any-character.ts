import fc from 'fast-check'

const SURROGATES = { from: 0xd800, count: 0x800 }

/**
 * Any character of Unicode, assigned or not, as the unit of `fc.string`. As fast-check's own `unit: 'binary'`, without its map of a
 * million characters, which each worker of a test run would keep.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10_ffff - SURROGATES.count }).map(
  place => String.fromCodePoint(place < SURROGATES.from ? place : place + SURROGATES.count),
  // The reverse, by which fast-check takes texts apart; it expects an error for all else.
  text => {
    if (typeof text !== 'string' || !/^\P{Cs}$/u.test(text)) throw new Error('not one character')
    const code = text.codePointAt(0)!
    return code < SURROGATES.from ? code : code - SURROGATES.count
  },
)
