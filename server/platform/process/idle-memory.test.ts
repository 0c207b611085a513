import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const GARBAGE_NUMBERS = 20_000_000

/** In a process of its own: one that runs tests beside this one is never idle. */
const PROGRAM = `
  import { getHeapStatistics } from 'node:v8'
  import { giveMemoryBack } from ${JSON.stringify(join(import.meta.dirname, 'idle-memory.ts'))}

  const heapBytes = () => getHeapStatistics().total_heap_size
  const before = heapBytes()
  Array.from({ length: ${GARBAGE_NUMBERS} }, (_, n) => n / 2)
  const after = heapBytes()
  giveMemoryBack(500)
  const timer = setInterval(() => {
    if (heapBytes() >= after - ${GARBAGE_NUMBERS}) return
    console.log(JSON.stringify({ before, after, idle: heapBytes() }))
    clearInterval(timer)
  }, 100)`

test('a process that has nothing to do gives the memory of finished work back', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    PROGRAM,
  ])
  const { before, after, idle } = JSON.parse(stdout) as Record<string, number>
  expect(after).toBeGreaterThan(before!)
  expect(idle).toBeLessThan(after! - GARBAGE_NUMBERS)
})
