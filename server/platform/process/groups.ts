import { Refusal } from '#server/platform/http/refusal.ts'
import { asNoUser } from './current-user.ts'

const RETRY_AFTER_SECONDS = 10

export type GroupOptions<Item> = {
  /** Items of one group. */
  most: number
  /** Groups at a time. */
  mostGroups: number
  /** The longest wait (ms) for the groups before; one that takes longer waits for a lock. */
  slowMs: number
  /** The longest wait (ms) for a place in a group; none for work that must not be given up. */
  patienceMs?: number
  /** Whose item it is: an owner with many items leaves places to the others. */
  ownerOf?: (item: Item) => unknown
}

type Waiting<Item, Result> = {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
  patience?: NodeJS.Timeout
}

/**
 * Does work in groups: an item that comes alone at once, items that come while a group is at work together after it. The work
 * belongs to no user.
 */
export class Groups<Item, Result> {
  readonly #work: (items: Item[]) => Promise<readonly Result[]>
  readonly #options: GroupOptions<Item>
  #waiting: Waiting<Item, Result>[] = []
  #groups = 0
  #timer: NodeJS.Timeout | undefined

  /** `work` returns a result for each item, in their order; when it rejects, all items of the group do. */
  constructor(work: (items: Item[]) => Promise<readonly Result[]>, options: GroupOptions<Item>) {
    this.#work = work
    this.#options = options
  }

  /** Rejects with Refusal 503 when the patience ends: nothing was done for the item. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Item, Result> = { item, resolve, reject }
      const { patienceMs } = this.#options
      if (patienceMs !== undefined)
        waiting.patience = setTimeout(() => this.#giveUp(waiting), patienceMs)
      this.#waiting.push(waiting)
      if (this.#groups > 0)
        this.#timer ??= setTimeout(() => this.#startGroup(), this.#options.slowMs)
      // Items that come in the same turn are one group.
      else if (this.#waiting.length === 1) setImmediate(() => this.#startGroup())
    })
  }

  /** While the database does not answer, items come faster than groups end. */
  #giveUp(waiting: Waiting<Item, Result>): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    waiting.reject(
      new Refusal(
        'busy',
        'The server is too busy for this just now. Please try again in a moment.',
        { retryAfter: RETRY_AFTER_SECONDS },
      ),
    )
  }

  #startGroup(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0 || this.#groups >= this.#options.mostGroups) return
    const group = this.#take()
    this.#groups++
    void asNoUser(() => this.#doWork(group)).finally(() => {
      this.#groups--
      this.#startGroup()
    })
  }

  async #doWork(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(group.map(({ item }) => item))
      for (const [n, { resolve }] of group.entries()) resolve(results[n]!)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  #take(): Waiting<Item, Result>[] {
    const { most, ownerOf } = this.#options
    if (this.#waiting.length > most && ownerOf)
      this.#waiting = inTurns(this.#waiting, ({ item }) => ownerOf(item))
    const group = this.#waiting.splice(0, most)
    for (const { patience } of group) clearTimeout(patience)
    return group
  }
}

/** The first item of each owner, then the second of each. */
function inTurns<T>(items: T[], ownerOf: (item: T) => unknown): T[] {
  const counts = new Map<unknown, number>()
  const turns = items.map(item => {
    const turn = (counts.get(ownerOf(item)) ?? 0) + 1
    counts.set(ownerOf(item), turn)
    return { item, turn }
  })
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ item }) => item)
}
