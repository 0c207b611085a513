/**
 * `node scripts/evenpost.ts`: buys labels with an API key, for shops without programmers. It uses the
 * public calls alone; `--help` lists commands and exit codes (docs/programs.md).
 */
import { boughtCount, isTerminal } from '#contract/batch-status.ts'
import { retryFailedLabels } from '#contract/batches.ts'
import { availableServices } from '#contract/catalogue.ts'
import { countText } from '#contract/format.ts'
import { statement } from '#contract/ledger.ts'
import { usdFromDollars } from '#contract/money.ts'
import { ApiError } from '#web/client/send.ts'
import { HELP, readCommandLine, UsageError } from './client/arguments.ts'
import type { CommandLine } from './client/arguments.ts'
import { buyFile, NothingBought, orOutcomeOpen, OutcomeOpen } from './client/buy-file.ts'
import { connect } from './client/calls.ts'
import type { Client } from './client/calls.ts'
import { followBatch, saveFiles, stateOf } from './client/follow.ts'
import type { BatchState } from './client/follow.ts'
import { FileProblem } from './client/orders-file.ts'
import { progressLine, progressText } from './client/progress-line.ts'

const EXIT = { done: 0, nothingBought: 1, usage: 2, someFailed: 3, unknown: 4 } as const

/** `data`: what --json prints. */
type End = { text: string; data: unknown; exitCode: number }

const notes = process.stderr
const say = (line: string): void => void notes.write(`${line}\n`)

process.once('SIGINT', () => {
  say('\nStopped. A bulk order that was sent goes on; run the same command again to follow it.')
  process.exit(EXIT.unknown)
})

try {
  const line = readCommandLine(process.argv.slice(2), process.env)
  if (line.command.name === 'help') process.stdout.write(HELP)
  else {
    const { text, data, exitCode } = await run(line)
    process.stdout.write(line.json ? `${JSON.stringify(data)}\n` : `${text}\n`)
    process.exitCode = exitCode
  }
} catch (error) {
  process.exitCode = explain(error)
}

/** Prints why a command ended and returns its exit code. An unexpected error keeps its stack. */
function explain(error: unknown): number {
  if (error instanceof UsageError) {
    say(`${error.message}\nnode scripts/evenpost.ts --help lists the commands.`)
    return EXIT.usage
  }
  if (error instanceof NothingBought || error instanceof FileProblem) {
    say(error.message)
    return EXIT.nothingBought
  }
  if (error instanceof OutcomeOpen) {
    say(`${error.message}\nRun the same command again.`)
    return EXIT.unknown
  }
  if (error instanceof ApiError) {
    const isOpen = error.status === 0 || error.status >= 500
    say(isOpen ? `${error.message} Run the same command again.` : error.message)
    return isOpen ? EXIT.unknown : EXIT.nothingBought
  }
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return EXIT.unknown
}

async function run({ command, connection }: CommandLine): Promise<End> {
  const client = await connect(connection)
  if (client.mode === 'test')
    say('This is a test installation: its labels are samples, not postage.')
  const progress = progressLine(notes)
  switch (command.name) {
    case 'buy': {
      const bought = await buyFile(client, connection, command.options, { say, progress })
      if (bought.batchId === null)
        return {
          text: 'Nothing was bought: this was a dry run.',
          data: { cost: bought.cost },
          exitCode: EXIT.done,
        }
      return endOf(bought.state, ` Results: ${command.options.results}`)
    }
    case 'retry': {
      await retry(client, command.batchId)
      return endOf(
        await orOutcomeOpen(command.batchId, followBatch(client, command.batchId, progress)),
      )
    }
    case 'status':
      return endOf(await stateOf(client, command.batchId))
    case 'download': {
      await saveFiles(client, command.batchId, command)
      const files = [command.results, command.pdf].filter(path => path !== null)
      return { text: `Saved ${files.join(' and ')}.`, data: { files }, exitCode: EXIT.done }
    }
    case 'services':
      return services(client)
    case 'balance':
      return balance(client)
    case 'help':
      return { text: HELP, data: HELP, exitCode: EXIT.done }
  }
}

/** A retry that runs already is followed: it may be that of a lost answer. */
async function retry(client: Client, orderId: string): Promise<void> {
  try {
    await client.call(retryFailedLabels, { params: { orderId }, query: {} })
  } catch (error) {
    const isConflict = error instanceof ApiError && error.status === 409
    if (!isConflict || error.code === 'already_bought') throw error
    say(error.message)
  }
}

function endOf(state: BatchState, more = ''): End {
  const { orderId, status, failedCount, failedLabels } = state
  for (const { row, receiver, reason } of failedLabels) say(`Row ${row}, ${receiver}: ${reason}`)
  const bought = boughtCount(state)
  const exitCode = !isTerminal(status)
    ? EXIT.unknown
    : failedCount === 0
      ? EXIT.done
      : bought > 0
        ? EXIT.someFailed
        : EXIT.nothingBought
  return {
    text: `Bulk order ${orderId}: ${progressText(state)}.${more}`,
    data: {
      batchId: orderId,
      status,
      bought,
      failed: failedCount,
      cost: state.finalCost,
    },
    exitCode,
  }
}

async function services(client: Client): Promise<End> {
  const list = await client.call(availableServices, { params: { userId: client.userId } })
  const lines = list.map(({ name, maxWeight, deliveryDays: days }) => {
    const time = days ? `, usually ${days.from}-${days.to} business days` : ''
    return `${name}: up to ${maxWeight} lb${time}`
  })
  const text = lines.join('\n') || 'No service is for sale to this user.'
  return { text, data: list, exitCode: EXIT.done }
}

async function balance(client: Client): Promise<End> {
  const request = { params: { userId: client.userId }, query: { limit: 1 } }
  const { entries, totalCount } = await client.call(statement, request)
  const amount = entries[0]?.balance ?? 0
  const text = `${usdFromDollars(amount)} after ${countText(totalCount, 'movement')}.`
  return { text, data: { balance: amount }, exitCode: EXIT.done }
}
