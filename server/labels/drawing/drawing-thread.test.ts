import { afterAll, expect, test } from 'vitest'
import { drawPage } from '#server/labels/specimen-page.ts'
import type { SpecimenPage } from '#server/labels/specimen-page.ts'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { DrawingThread } from './drawing-thread.ts'

const thread = new DrawingThread()
afterAll(() => thread.end())

const pageOf = (serial: number): SpecimenPage => [{ label: sampleLabel(serial), half: null }]
const pages = [pageOf(1), pageOf(2), [...pageOf(3), { label: sampleLabel(4), half: 2 as const }]]
const drawnHere = pages.map(page => Buffer.from(drawPage(page)))
const draw = async (given: readonly SpecimenPage[]): Promise<Buffer[]> =>
  (await thread.draw(given)).map(bytes => Buffer.from(bytes))

test('a page has the same bytes in the thread and outside', async () => {
  expect(await draw(pages)).toEqual(drawnHere)
})

test('a page that may not be drawn is refused, and those of other files are drawn', async () => {
  const live = { ...sampleLabel(5), trackingNumber: '9400111899223817512345' }
  const [before, refused, after] = await Promise.allSettled([
    draw(pages),
    draw([pageOf(6), [{ label: live, half: null }]]),
    draw(pages.toReversed()),
  ])
  expect(before).toEqual({ status: 'fulfilled', value: drawnHere })
  expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(Error) })
  expect(after).toEqual({ status: 'fulfilled', value: drawnHere.toReversed() })
})

test('when the thread ends, what waits fails, and the next pages are drawn again', async () => {
  const [waiting] = await Promise.allSettled([draw(pages), thread.end()])
  expect(waiting).toMatchObject({
    reason: { message: 'The thread that draws labels has ended' },
  })
  expect(await draw(pages)).toEqual(drawnHere)
})
