import { defineConfig, devices } from '@playwright/test'
import { keepTestDataInMemory } from '#tests/support/memory-folder.ts'

keepTestDataInMemory()

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  outputDir: '../../test-results',
  globalSetup: './global-setup.ts',
  // All journeys share one server; each registers its own customer, so they may run side by side.
  fullyParallel: true,
  // Two cores run four: journeys wait for answers, some for a late carrier.
  workers: 4,
  forbidOnly: true,
  // `npm test` names the journeys that passed only the second time (docs/decisions/0077-a-standstill-is-not-a-failure.md).
  retries: 1,
  // Far above what a journey takes: a slow machine is not a defect of the product.
  timeout: 1_800_000,
  expect: { timeout: 300_000 },
  use: {
    ...devices['Desktop Chrome'],
    // Set by global-setup.ts before the journeys are loaded.
    baseURL: process.env.JOURNEY_URL,
    viewport: { width: 1440, height: 900 },
    // As long as an expectation waits; without them a click that finds nothing would say so only at the end of the journey's time.
    actionTimeout: 300_000,
    navigationTimeout: 300_000,
    // Moving pictures take a fifth of the browser's work; landing.test.ts looks at what moves.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording takes a third of the whole time; `--trace on` records a journey to look into.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      // A journey ends before compiled code has saved the time of its compilation: with these flags the browser works an eighth less.
      args: ['--js-flags=--no-opt --no-maglev --single-threaded-gc --min-semi-space-size=16'],
    },
  },
})
