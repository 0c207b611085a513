import { defineConfig } from 'vitest/config'

/** Journeys need a browser and are run by Playwright. */
const exclude = ['**/node_modules/**', 'tests/journeys/**']
const crashes = 'tests/crash/**/*.test.ts'

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['tests/support/cluster.ts'],
    // Modules are loaded once for each worker, not once for each file: several times faster. Nothing here keeps state in a module.
    isolate: false,
    pool: 'threads',
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'tests/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...exclude, crashes],
        },
      },
      {
        extends: true,
        // Processes that are killed and wait for leases to run out: several at a time, as they mostly wait. After the others.
        test: { name: 'crashes', include: [crashes], exclude, maxWorkers: 4, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
