import { expect, test } from 'vitest'
import { readProjectFile } from '#tests/support/source.ts'
import { letterFiles } from './letters.ts'

test('the letters of labels are those of the font that they say they are from', async () => {
  for (const [name, text] of await letterFiles()) {
    expect(
      readProjectFile(`server/labels/raster/__generated__/${name}`) === text,
      `${name}: run node scripts/draw-letters.ts`,
    ).toBe(true)
  }
})
