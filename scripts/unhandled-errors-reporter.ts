/** A reporter of Vitest: writes the errors that happened outside of tests. Its JSON report leaves them out. */
import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

export const UNHANDLED_ERRORS_FILE = 'EVENPOST_UNHANDLED_ERRORS_FILE'

export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly { message: string; stack?: string }[]): void {
    const file = process.env[UNHANDLED_ERRORS_FILE]
    const texts = errors.map(({ message, stack }) => stack ?? message)
    if (file) writeFileSync(file, JSON.stringify(texts))
  }
}
