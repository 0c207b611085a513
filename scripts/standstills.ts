/**
 * Notices when the whole machine stands still, as a virtual machine may. Leases and time limits of a
 * few seconds then end in every process, and a test that fails says nothing about the product.
 */
const LOOK_MS = 250
/** An idle process waits less than a second for a processor while all tests run. */
const STANDSTILL_MS = 2_000

export class Standstills {
  readonly #lengths: number[] = []
  #lastLook = performance.now()
  readonly #looks = setInterval(() => this.#look(), LOOK_MS)

  constructor() {
    this.#looks.unref()
  }

  get count(): number {
    return this.#lengths.length
  }

  /** In ms; 0 if there was none. */
  get longest(): number {
    return Math.max(0, ...this.#lengths)
  }

  #look(): void {
    const now = performance.now()
    const late = now - this.#lastLook - LOOK_MS
    if (late >= STANDSTILL_MS) this.#lengths.push(late)
    this.#lastLook = now
  }
}
