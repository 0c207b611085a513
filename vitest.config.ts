import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Journeys need a browser and are run by Playwright. */
const exclude = ['**/node_modules/**', 'tests/journeys/**']
/** What is killed, broken or played at random. */
const resilience = ['tests/crash/**/*.test.ts', 'tests/model/**/*.test.ts', 'tests/fuzz.test.ts']
const isLong = Number(process.env.EVENPOST_LONG_MINUTES ?? 0) > 0

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['tests/support/global-setup.ts'],
    // Modules are loaded once for each worker, not once for each file: several times faster. Nothing here keeps state in a module.
    isolate: false,
    pool: 'threads',
    // Left to itself it would use one of two cores, and most of the time that one waits for a database or for a house to start.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Generous: a slow machine is no fault of the product.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'modules',
          include: [
            'contract/**/*.test.ts',
            'server/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'tests/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...exclude, ...resilience],
        },
      },
      {
        extends: true,
        // Several at a time, as they mostly wait for leases to run out; and after the others. In the long form each goes on for as
        // long as is wished, so that all that are asked for together have to have a place at once.
        test: {
          name: 'resilience',
          include: resilience,
          exclude,
          maxWorkers: isLong ? 9 : 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
