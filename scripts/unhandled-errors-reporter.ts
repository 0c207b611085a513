/** A reporter of Vitest: writes how many errors happened outside of tests. Its JSON report leaves them out. */
import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

export const UNHANDLED_ERRORS_FILE = 'EVENPOST_UNHANDLED_ERRORS_FILE'

export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly unknown[]): void {
    const file = process.env[UNHANDLED_ERRORS_FILE]
    if (file) writeFileSync(file, String(errors.length))
  }
}
