/** Timers that are started once more where the whole process stood still when they were due (late-timers.ts). */

export type SetTimeout = (
  callback: (...args: unknown[]) => void,
  ms?: number,
  ...args: unknown[]
) => NodeJS.Timeout
export type Wait = (ms?: number, value?: unknown, options?: object) => Promise<unknown>

/** A process that runs is never that late. */
const LATE_MS = 2_000

/** `now`: in ms. */
export function patientTimeout(start: SetTimeout, now: () => number): SetTimeout {
  return (callback, ms, ...args) => {
    // Node's own error says what is wrong.
    if (typeof callback !== 'function') return start(callback, ms, ...args)
    let due: number
    let isStartedAgain: boolean
    const begin = (): void => {
      due = now() + Number(ms)
      isStartedAgain = false
    }
    begin()
    const timer = start(() => {
      if (isStartedAgain || !(now() - due > LATE_MS))
        return void Reflect.apply(callback, timer, args)
      isStartedAgain = true
      startAgain()
    }, ms)
    const startAgain = timer.refresh.bind(timer)
    timer.refresh = () => {
      begin()
      return startAgain()
    }
    return timer
  }
}

/** The same for `setTimeout` of node:timers/promises. */
export const patientWait =
  (wait: Wait, now: () => number): Wait =>
  async (ms, value, options) => {
    const due = now() + Number(ms)
    const waited = await wait(ms, value, options)
    return now() - due > LATE_MS ? wait(ms, value, options) : waited
  }
