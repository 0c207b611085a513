import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { specimenPdf } from './specimen-pdf.ts'
import { GROUND_LAYER, specimenContent, MARKS_LAYER } from './specimen.ts'

// Three safeguards protect the marks: width table, clip boxes, drawing order. Any two suffice, so a
// reader of the page would not notice a missing one; each is tested by itself.

// Every stream of page operators.
function streams(file: Buffer): string[] {
  const source = file.toString('latin1')
  return [...source.matchAll(/\/Length (\d+)>>stream\n/g)].map(found => {
    const start = found.index + found[0].length
    return inflateSync(file.subarray(start, start + Number(found[1]))).toString('latin1')
  })
}

test('the marks are drawn after everything that a customer wrote', () => {
  const content = specimenContent(sampleLabel(1))
  const drawn = streams(specimenPdf(sampleLabel(1)))
  expect(drawn).toContain(`/G Do ${content} /M Do`)
  expect(drawn).toContain(MARKS_LAYER)
  expect(drawn).toContain(GROUND_LAYER)
})

test('what a customer wrote is drawn inside of five boxes, none of which reaches a mark', () => {
  const content = specimenContent(sampleLabel(1))
  const end = content.indexOf('W n BT ')
  // Texts clipped to the boxes, then number and bars without clipping.
  expect(content).toMatch(
    /^q ([\d. ]+ re ){5}W n BT [^]*\(2\.5 LB\)[^]*\(Qty 2[^]*' ET Q BT [^()]*\([\d ]{27}\)' ET q [\d. ]+ cm /,
  )
  const boxes = [...content.slice(0, end).matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re/g)].map(
    box => {
      const [left, bottom, width, height] = box.slice(1).map(Number) as [
        number,
        number,
        number,
        number,
      ]
      return { left, bottom, right: left + width, top: bottom + height }
    },
  )
  expect(boxes).toHaveLength(5)
  // Payment area, SAMPLE before the service, barcode with banner and number: points from the lower
  // left.
  const marked = [
    { left: 0, bottom: 351, right: 288, top: 432 },
    { left: 0, bottom: 319, right: 81, top: 351 },
    { left: 0, bottom: 50, right: 288, top: 158 },
  ]
  for (const box of boxes) {
    for (const mark of marked) {
      const apart =
        box.right <= mark.left
        || box.left >= mark.right
        || box.top <= mark.bottom
        || box.bottom >= mark.top
      expect(apart, JSON.stringify({ box, mark })).toBe(true)
    }
  }
})
