/** Work that a stop waits for. Work that has ended is not kept. */
export class OpenWork {
  readonly #works = new Set<Promise<void>>()

  get size(): number {
    return this.#works.size
  }

  /** The caller handles errors. */
  add(work: Promise<unknown>): void {
    const ended: Promise<void> = work.then(
      () => void this.#works.delete(ended),
      () => void this.#works.delete(ended),
    )
    this.#works.add(ended)
  }

  /** Waits also for work that is added meanwhile. */
  async done(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works)
  }
}
