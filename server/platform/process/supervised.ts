/**
 * What a server and `npm start`, which starts it again when it ends unexpectedly (scripts/start.ts), tell each other. Without a
 * supervisor nothing is told.
 */
import { createServer } from 'node:net'

/** `port`: the one it listens on; absent with ROLE=worker. */
export type SupervisedMessage = { dataDir: string } | { ready: true; port?: number }

/**
 * Exit code of a start that fails for what the operator must correct. After an earlier start the reason may be temporary: the database
 * cannot be reached.
 */
export const START_REFUSED = 78
/** Exit code of a program that is too old for its database: no other start succeeds. */
export const NOT_RESTARTED = 76
/** Exit code of a server that must drop all it has in memory. */
export const STARTED_AT_ONCE = 75
/** `--port-before=4711`: with PORT=0, the port before a restart. */
export const PORT_BEFORE_FLAG = '--port-before='

/** For `npm run dev`: Node's `--watch` forwards each signal, which the terminal has also sent to the server. */
export const SIGNALS_TWICE_FLAG = '--signals-come-twice'

/** Whether this process could listen there now. */
export const isPortFree = (host: string, port: number): Promise<boolean> =>
  new Promise(done => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, host, () => probe.close(() => done(true)))
  })

export const tellSupervisor = (message: SupervisedMessage): void => void process.send?.(message)

export const isSupervised = (): boolean => process.connected === true

/**
 * Sent by `npm start` when it receives a signal. It is a message because the terminal may already have sent Ctrl-C to the server: a
 * second signal would stop the server at once.
 */
export type StopMessage = { stop: NodeJS.Signals }

export const onSupervisorStop = (end: (signal: NodeJS.Signals) => void): void =>
  void process.on('message', (message: Partial<StopMessage> | null) => {
    if (message?.stop) end(message.stop)
  })

/** A server whose supervisor was killed must not go on forever. */
export const onSupervisorGone = (end: () => void): void => void process.once('disconnect', end)

export function portBefore(): number | undefined {
  const flag = process.argv.find(argument => argument.startsWith(PORT_BEFORE_FLAG))
  return flag === undefined ? undefined : Number(flag.slice(PORT_BEFORE_FLAG.length))
}
