// npm start: runs the server, and starts it again when it ends unexpectedly. In a container the
// server runs without it: there `restart: unless-stopped` does the same.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { ignoreLostOutput } from '#server/platform/process/lost-output.ts'
import { startEnv } from '#server/platform/process/start-env.ts'
import {
  NOT_RESTARTED,
  PORT_BEFORE_FLAG,
  START_REFUSED,
  STARTED_AT_ONCE,
} from '#server/platform/process/supervised.ts'
import type { StopMessage, SupervisedMessage } from '#server/platform/process/supervised.ts'
import { recordUnexpectedEnd } from '#server/platform/process/unexpected-ends.ts'
import { SERVER_ENTRY } from './server-entry.ts'

const FIRST_PAUSE_MS = 1_000
const WINDOW_MS = 60_000
const MAX_ENDS_IN_WINDOW = 5
/** Longer than WINDOW_MS / MAX_ENDS_IN_WINDOW, so that refused starts alone never reach the limit. */
const PAUSE_WHILE_REFUSED_MS = 30_000
const PARENT_CHECK_MS = 250

ignoreLostOutput()
let child: ChildProcess | undefined
let pause: NodeJS.Timeout | undefined
let isStopping = false
let wasReady = false
let dataDir: string | undefined
let port: number | undefined
let endTimes: number[] = []

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stop(signal))
if (process.env.npm_lifecycle_event === 'start') stopWithNpm()
startServer()

function stop(signal: NodeJS.Signals): void {
  isStopping = true
  if (pause) process.exit(0)
  const message: StopMessage = { stop: signal }
  // Sending fails only when the server has already exited.
  child?.send(message, () => {})
}

/** A signal to npm ends npm and the shell that it has started, and many shells do not pass it on. */
function stopWithNpm(): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop('SIGTERM')
  }, PARENT_CHECK_MS).unref()
}

function startServer(): void {
  pause = undefined
  const portFlag = port === undefined ? [] : [`${PORT_BEFORE_FLAG}${port}`]
  child = spawn(process.execPath, [...process.execArgv, SERVER_ENTRY, ...portFlag], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...startEnv() },
  })
  child.on('message', message => note(message as SupervisedMessage))
  child.once('error', error => giveUp(`The server could not be started: ${error.message}`, 1))
  child.once('exit', (code, signal) => void onEnd(code, signal))
}

function note(message: SupervisedMessage): void {
  if ('dataDir' in message) dataDir = message.dataDir
  else {
    wasReady = true
    port = message.port
  }
}

async function onEnd(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
  const isRefused = code === START_REFUSED
  if (code === NOT_RESTARTED || (isRefused && (isStopping || !wasReady))) process.exit(1)
  // The first start has failed and has said why.
  const isFirstFailure = code !== null && !wasReady
  if (isStopping || code === 0 || code === 130 || isFirstFailure) process.exit(code ?? 1)
  if (code === STARTED_AT_ONCE) return startServer()
  const at = new Date()
  const how = signal ?? `code ${code}`
  if (dataDir !== undefined)
    await recordUnexpectedEnd(dataDir, { at: at.toISOString(), code, signal }).catch(
      (error: Error) => say(`The end could not be recorded in ${dataDir}: ${error.message}`),
    )
  endTimes = [...endTimes.filter(time => at.getTime() - time < WINDOW_MS), at.getTime()]
  if (endTimes.length >= MAX_ENDS_IN_WINDOW)
    return giveUp(
      `The server ended unexpectedly ${MAX_ENDS_IN_WINDOW} times within a minute (now with ${how}) and is not started again. `
        + 'The reason is above. npm run doctor checks the installation; npm start tries again.',
      code ?? 1,
    )
  const pauseMs = isRefused ? PAUSE_WHILE_REFUSED_MS : FIRST_PAUSE_MS * 2 ** (endTimes.length - 1)
  say(
    isRefused
      ? `The server ran before and cannot start now, for the reason above; it tries again in ${pauseMs / 1000} s`
      : `The server ended unexpectedly (${how}); it starts again in ${pauseMs / 1000} s`,
  )
  if (isStopping) process.exit(0)
  pause = setTimeout(startServer, pauseMs)
}

function say(line: string): void {
  process.stderr.write(`Evenpost: ${line}\n`)
}

function giveUp(line: string, code: number): void {
  say(line)
  process.exit(code)
}
