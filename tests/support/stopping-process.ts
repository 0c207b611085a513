/** A program that says what it was sent, and whose shutdown lasts until it receives the message `end`. */
import { createLifecycle, signalName } from '#server/platform/process/lifecycle.ts'
import { onSupervisorStop } from '#server/platform/process/supervised.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const life = createLifecycle({ say, onError: error => say(String(error)) })
onSupervisorStop(signal => void life.stop(signalName(signal)))
life.onStop(
  () => new Promise<void>(done => process.on('message', message => message === 'end' && done())),
)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => say(`received ${signal}`))
process.on('message', () => say('received a message'))
say('ready')
