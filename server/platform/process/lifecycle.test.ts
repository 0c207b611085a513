import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { SIGNALS_TWICE_FLAG } from './supervised.ts'
import type { StopMessage } from './supervised.ts'

const FORWARDED: StopMessage = { stop: 'SIGINT' }

/** A program whose shutdown lasts until `end`. What is sent to it has been handled when the call returns. */
async function startProgram(...flags: string[]) {
  const child = spawn(process.execPath, ['tests/support/stopping-process.ts', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  let said = ''
  child.stdout!.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const timesSaid = (line: string): number => said.split('\n').filter(one => one === line).length
  const untilSaid = async (line: string, send: () => unknown): Promise<void> => {
    const before = timesSaid(line)
    send()
    await expect.poll(() => timesSaid(line), { interval: 5 }).toBe(before + 1)
  }
  await untilSaid('ready', () => {})
  return {
    kill: (signal: NodeJS.Signals) => untilSaid(`received ${signal}`, () => child.kill(signal)),
    tell: (message: StopMessage) => untilSaid('received a message', () => child.send(message)),
    killLast(signal: NodeJS.Signals) {
      child.kill(signal)
      return ended
    },
    end() {
      child.send('end')
      return ended
    },
    stops: () => said.split('\n').filter(line => line.startsWith('Stopping')),
  }
}

test('copies of a Ctrl-C, before and after it, are not a second one', async () => {
  const program = await startProgram()
  await program.tell(FORWARDED)
  expect(program.stops()).toEqual(['Stopping: Ctrl-C'])
  await program.kill('SIGINT')
  await program.tell(FORWARDED)
  await program.kill('SIGTERM')
  expect(await program.end()).toBe(0)
  expect(program.stops()).toEqual(['Stopping: Ctrl-C'])
})

test('a second Ctrl-C stops at once, however soon it comes', async () => {
  const program = await startProgram()
  await program.kill('SIGINT')
  expect(await program.killLast('SIGINT')).toBe(130)
  expect(program.stops()).toEqual([
    'Stopping: Ctrl-C',
    'Stopping at once; the next start continues the unfinished work',
  ])
})

test('under npm run dev, where each signal comes twice, no Ctrl-C is a second one', async () => {
  const program = await startProgram(SIGNALS_TWICE_FLAG)
  await program.kill('SIGINT')
  await program.kill('SIGINT')
  expect(await program.end()).toBe(0)
  expect(program.stops()).toEqual(['Stopping: Ctrl-C'])
})
