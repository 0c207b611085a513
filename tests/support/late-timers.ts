/**
 * A setup file of vitest. A process that stood still runs the timers that are due before it reads what has arrived meanwhile, so
 * each time limit of the program would end although its answer is there. Here a timer that comes that late is started once more.
 */
import { syncBuiltinESMExports } from 'node:module'
import { patientTimeout, patientWait } from './patient-timers.ts'
import type { SetTimeout, Wait } from './patient-timers.ts'

/** Marks a worker whose timers are replaced: this file runs again for each of its test files. */
const DONE = Symbol.for('evenpost.patientTimers')

if (!(DONE in globalThis)) {
  Object.defineProperty(globalThis, DONE, { value: true })
  // Before a test may replace the clock.
  const now = performance.now.bind(performance)
  const own = globalThis.setTimeout
  const patient = patientTimeout(own as SetTimeout, now)
  // Such as `util.promisify.custom`.
  Object.defineProperties(patient, Object.getOwnPropertyDescriptors(own))
  Object.assign(globalThis, { setTimeout: patient })
  const promises = process.getBuiltinModule('node:timers/promises')
  Object.assign(promises, { setTimeout: patientWait(promises.setTimeout as Wait, now) })
  syncBuiltinESMExports()
}
