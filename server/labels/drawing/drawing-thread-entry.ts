// Runs in the thread that drawing-thread.ts starts.
import { parentPort } from 'node:worker_threads'
import { drawPage } from '#server/labels/specimen-page.ts'
import type { SpecimenPage } from '#server/labels/specimen-page.ts'
import type { DrawingResult } from './drawing-thread.ts'

parentPort!.on('message', (pages: SpecimenPage[]) => parentPort!.postMessage(drawingOf(pages)))

function drawingOf(pages: SpecimenPage[]): DrawingResult {
  try {
    const drawn = pages.map(drawPage)
    return { bytes: Buffer.concat(drawn), lengths: drawn.map(({ length }) => length) }
  } catch (error) {
    return { error: error as Error }
  }
}
