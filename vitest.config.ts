import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { FileOrder } from './tests/support/file-order.ts'
import { keepTestDataInMemory } from './tests/support/memory-folder.ts'
import { PAGE_STATE_TESTS } from './tests/support/page-state-tests.ts'

/** Playwright runs the journeys: they need a browser. */
const exclude = ['**/node_modules/**', 'tests/journeys/**', 'tests/clients/**']
/** `npm run test:clients` installs what these need. */
const clients = ['tests/generated-clients.test.ts']
/** Tests of crashes, of broken networks and of random sequences. */
const resilience = ['tests/crash/**/*.test.ts', 'tests/model/**/*.test.ts', 'tests/fuzz.test.ts']
/** In the process of the tests the program's own time limits run too. */
const setupFiles = ['tests/support/late-timers.ts']
const isLong = Number(process.env.EVENPOST_LONG_MINUTES ?? 0) > 0

keepTestDataInMemory()

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['tests/support/global-setup.ts'],
    // Each worker loads the modules once instead of once per file: several times faster. No module
    // of the server keeps state of a test.
    isolate: false,
    pool: 'threads',
    // Tests mostly wait for a database or a process, so two cores run three files.
    maxWorkers: availableParallelism() + 1,
    // No file depends on the files before it.
    sequence: { sequencer: FileOrder },
    // One limit for all tests, far above what they take: a slow machine is not a defect of the
    // product.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'modules',
          include: [
            'contract/**/*.test.ts',
            'server/**/*.test.ts',
            'tests/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...exclude, ...resilience, ...clients],
          setupFiles,
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: [...exclude, ...PAGE_STATE_TESTS],
        },
      },
      {
        extends: true,
        test: { name: 'page state', include: PAGE_STATE_TESTS, exclude, isolate: true },
      },
      {
        extends: true,
        // These run after the others, several at once: they mostly wait for leases to run out. In
        // the long form each runs for as long as requested, so all of them need a worker at once.
        test: {
          name: 'resilience',
          include: resilience,
          setupFiles,
          exclude,
          maxWorkers: isLong ? 9 : 6,
          sequence: { groupOrder: 1 },
        },
      },
      ...(process.env.npm_lifecycle_event === 'test:clients'
        ? [{ extends: true as const, test: { name: 'clients', include: clients, exclude } }]
        : []),
    ],
  },
})
