/** Writes and sends waiting emails, in every process that serves pages. */
import { setTimeout as wait } from 'node:timers/promises'
import type { MailKind } from '#contract/mails.ts'
import type { Context } from '#server/platform/context.ts'
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import { sealMail, unsealMail } from './content.ts'
import type { RequestContent } from './content.ts'
import {
  claimDue,
  deleteMail,
  lockUnwritten,
  recordFailed,
  recordRetry,
  recordSent,
  recordUnwritable,
  saveWritten,
  tidyMails,
} from './mail-store.ts'
import type { WaitingMail } from './mail-store.ts'
import type { MailWriter } from './mailer.ts'
import { concernsAllMails, maskAddress, problemOf, retryDelayMs } from './rules.ts'
import { requireSafeMail } from './transport.ts'
import type { Mail, MailTransport } from './transport.ts'

/** In ms. */
export type MailPace = {
  /** How often the table is read for emails of other processes and for retries. */
  roundMs: number
  /** Longer than DELIVERY_TIMEOUT_MS. */
  leaseMs: number
  retryDelayMs: typeof retryDelayMs
}

const PACE: MailPace = { roundMs: 1_000, leaseMs: 2 * 60_000, retryDelayMs }
const DELIVERY_TIMEOUT_MS = 60_000
const DELIVERIES_AT_ONCE = 2
const STOP_TIMEOUT_MS = 8_000
// An enqueued email is visible when its transaction has committed.
const COMMIT_MS = 30
const TIDY_MS = 10_000
/** Per kind. About 3 KB each. */
const MAX_WAITING = 5_000
const KEEP_DAYS = 30

export type MailSender = {
  start(): void
  stop(): Promise<void>
  /** An email is due after this time. */
  wakeAfter(ms: number): void
  /** Ends a pause after failures of the mail server. */
  resume(): void
}

type SenderContext = Context & { secretKey: SecretKey }

export function openMailSender(
  ctx: SenderContext,
  transport: MailTransport,
  writers: ReadonlyMap<MailKind, MailWriter>,
  given: Partial<MailPace>,
): MailSender {
  const pace = { ...PACE, ...given }
  const deliveries = createDeliveries(ctx, transport, pace)
  const wakes = new Set<NodeJS.Timeout>()
  let rounds: NodeJS.Timeout | undefined
  let stopped = true
  let tidiedAt = -Infinity

  const reportLane = (error: unknown): void => {
    if (!isDatabaseUnavailable(error))
      ctx.log.error({ err: error }, 'waiting emails could not be processed; another try follows')
  }
  // Each at its own speed: a slow mail server must not delay the look-up of requests.
  const sending = createLane(async () => {
    while (!stopped && (await deliveries.sendSome()));
  }, reportLane)
  const writing = createLane(async () => {
    while (!stopped && (await writeOne(ctx, writers, pace))) sending.run()
  }, reportLane)
  const tidying = createLane(async () => {
    if (performance.now() - tidiedAt < TIDY_MS) return
    tidiedAt = performance.now()
    await tidyMails(ctx.database.db, MAX_WAITING, KEEP_DAYS)
  }, reportLane)
  const lanes = [writing, sending, tidying]

  const round = (): void => lanes.forEach(lane => lane.run())
  const wakeAfter = (ms: number): void => {
    if (stopped) return
    const timer = setTimeout(() => {
      wakes.delete(timer)
      round()
    }, ms + COMMIT_MS)
    wakes.add(timer)
  }
  return {
    start() {
      stopped = false
      // The first round is after listening: with PORT=0 links have no address before.
      rounds = setInterval(round, pace.roundMs)
    },
    wakeAfter,
    resume() {
      deliveries.resume()
      wakeAfter(0)
    },
    async stop() {
      stopped = true
      clearInterval(rounds)
      for (const timer of wakes) clearTimeout(timer)
      const settled = Promise.all(lanes.map(lane => lane.settled()))
      await Promise.race([settled, wait(STOP_TIMEOUT_MS, undefined, { ref: false })])
      transport.close()
    },
  }
}

/** Sends claimed emails, and pauses after a failure that concerns all of them. */
function createDeliveries(ctx: SenderContext, transport: MailTransport, pace: MailPace) {
  const { db } = ctx.database
  let pausedUntil = 0
  let failuresInARow = 0

  async function send(waiting: WaitingMail): Promise<void> {
    const mail = unsealMail<Mail>(ctx.secretKey, waiting)
    if (!mail) {
      await recordFailed(db, waiting, 'unreadable', 'unreadable')
      return report(waiting, 'unreadable')
    }
    try {
      await withTimeout(DELIVERY_TIMEOUT_MS, () => transport.deliver(mail, waiting))
    } catch (error) {
      return recordProblem(waiting, error)
    }
    failuresInARow = 0
    await recordSent(db, waiting)
  }

  async function recordProblem(waiting: WaitingMail, error: unknown): Promise<void> {
    const problem = problemOf(error)
    report(waiting, problem, error)
    if (concernsAllMails(problem))
      pausedUntil = performance.now() + pace.retryDelayMs(++failuresInARow, problem)
    else failuresInARow = 0
    if (problem === 'refused') await recordFailed(db, waiting, 'refused', problem)
    else await recordRetry(db, waiting, problem, pace.retryDelayMs(waiting.attempts, problem))
  }

  /** No address and no message: mail servers often repeat the address in it. */
  function report({ id, kind, attempts }: WaitingMail, problem: string, error?: unknown): void {
    const { code, responseCode, command } = (error ?? {}) as Record<string, unknown>
    const facts = { mail: id, kind, attempts, problem, code, responseCode }
    const step = typeof command === 'string' ? command.split(' ')[0] : undefined
    ctx.log.warn({ ...facts, command: step }, 'an email could not be sent')
  }

  return {
    /** Returns whether there may be more. */
    async sendSome(): Promise<boolean> {
      if (performance.now() < pausedUntil) return false
      const claimed = await claimDue(db, DELIVERIES_AT_ONCE, pace.leaseMs)
      await Promise.all(claimed.map(send))
      return claimed.length > 0
    },
    resume: (): void => void (pausedUntil = 0),
  }
}

/** Runs `work` once at a time, and once more when it was called for meanwhile. */
function createLane(work: () => Promise<void>, onError: (error: unknown) => void) {
  let running: Promise<void> | undefined
  let again = false
  const runOnce = async (): Promise<void> => {
    do {
      again = false
      await work().catch(onError)
    } while (again)
    running = undefined
  }
  return {
    run(): void {
      if (running) again = true
      else running = runOnce()
    },
    settled: async (): Promise<void> => running,
  }
}

/**
 * Looks up the user of a request and writes its email, in one transaction. Returns whether there
 * was a request.
 */
async function writeOne(
  ctx: SenderContext,
  writers: ReadonlyMap<MailKind, MailWriter>,
  pace: MailPace,
): Promise<boolean> {
  let request: WaitingMail | undefined
  try {
    return await ctx.database.tx(async tx => {
      request = await lockUnwritten(tx)
      if (!request) return false
      const content = unsealMail<RequestContent>(ctx.secretKey, request)
      const writer = writers.get(request.kind)
      const written = content && writer ? await writer(tx, content) : null
      if (!written) {
        await deleteMail(tx, request.id)
        return true
      }
      requireSafeMail(written.mail)
      await saveWritten(tx, request.id, {
        userId: written.userId,
        sealed: sealMail(ctx.secretKey, request.messageId, written.mail),
        recipientHint: maskAddress(written.mail.to),
      })
      return true
    })
  } catch (error) {
    if (!request) throw error
    ctx.log.error({ err: error, mail: request.id, kind: request.kind }, 'an email was not written')
    const delayMs = pace.retryDelayMs(request.attempts + 1, 'error')
    await recordUnwritable(ctx.database.db, request.id, delayMs)
    return true
  }
}
