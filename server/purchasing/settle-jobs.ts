import type { LabelContext } from '#server/orders/context.ts'
import { asNoUser } from '#server/platform/process/current-user.ts'
import { storeDeliveredFiles } from './label-files.ts'
import { settlePurchases } from './settle.ts'
import type { AnsweredPurchase } from './settle.ts'

const MOST_AT_ONCE = 50
const MOST_GROUPS = 4
/** The longest wait for the group before: one that takes longer waits for a locked wallet. */
const SLOW_MS = 50

type Waiting = AnsweredPurchase & { resolve(): void; reject(error: unknown): void }

/**
 * Settles the answers about single labels of one carrier account in groups: a label that comes alone at once, labels that come
 * while a group is settled together after it.
 */
export class SettleGroups {
  readonly #ctx: LabelContext
  #waiting: Waiting[] = []
  #groups = 0
  #timer: NodeJS.Timeout | undefined

  constructor(ctx: LabelContext) {
    this.#ctx = ctx
  }

  /** Resolves when the label is settled and its file is stored. Rejects if its group could not be settled. */
  settle(answer: AnsweredPurchase): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...answer, resolve, reject })
      if (this.#groups > 0) this.#timer ??= setTimeout(() => this.#startGroup(), SLOW_MS)
      // Answers that arrive in the same turn are one group.
      else if (this.#waiting.length === 1) setImmediate(() => this.#startGroup())
    })
  }

  #startGroup(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0 || this.#groups >= MOST_GROUPS) return
    const group = this.#waiting.splice(0, MOST_AT_ONCE)
    this.#groups++
    void asNoUser(() => settleGroup(this.#ctx, group)).finally(() => {
      this.#groups--
      this.#startGroup()
    })
  }
}

async function settleGroup(ctx: LabelContext, group: Waiting[]): Promise<void> {
  try {
    await settlePurchases(ctx, group)
    await storeDeliveredFiles(ctx, group).catch(error =>
      ctx.log.warn({ err: error }, 'label files could not be stored; they will be fetched'),
    )
    for (const { resolve } of group) resolve()
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

const groupsOfAccounts = new WeakMap<LabelContext['carrier'], SettleGroups>()

/** The groups of the account that `ctx` sells from. */
export function settleGroupsOf(ctx: LabelContext): SettleGroups {
  const known = groupsOfAccounts.get(ctx.carrier)
  if (known) return known
  const groups = new SettleGroups(ctx)
  groupsOfAccounts.set(ctx.carrier, groups)
  return groups
}
