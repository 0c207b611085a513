/**
 * Notices when the whole machine stands still, as a virtual machine may. Leases and time limits of a
 * few seconds then end in every process, and a test that fails says nothing about the product.
 */
const LOOK_MS = 250
/** An idle process waits less than a second for a processor while all tests run. */
const STANDSTILL_MS = 2_000

/** In ms since 1970. */
export type TimeSpan = { from: number; to: number }

export class Standstills {
  readonly #spans: TimeSpan[] = []
  #lastLook = performance.now()
  readonly #looks = setInterval(() => this.#look(), LOOK_MS)

  constructor() {
    this.#looks.unref()
  }

  get count(): number {
    return this.#spans.length
  }

  /** In ms; 0 if there was none. */
  get longest(): number {
    return Math.max(0, ...this.#spans.map(({ from, to }) => to - from))
  }

  /** Whether the machine stood still in some part of this time. */
  hadOneIn({ from, to }: TimeSpan): boolean {
    return this.#spans.some(span => span.from <= to && span.to >= from)
  }

  #look(): void {
    const now = performance.now()
    const late = now - this.#lastLook - LOOK_MS
    const to = Date.now()
    if (late >= STANDSTILL_MS) this.#spans.push({ from: to - late, to })
    this.#lastLook = now
  }
}
