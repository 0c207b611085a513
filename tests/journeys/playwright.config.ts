import { defineConfig, devices } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  outputDir: '../../test-results',
  globalSetup: './global-setup.ts',
  // One house for all journeys; each makes its own customer, so they may run side by side.
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // A browser on a crowded machine is now and then late for no fault of ours. What fails twice has failed; what needed a second try
  // is named at the end of the run, to be looked into.
  retries: 1,
  // Generous: a slow machine is no fault of the product, and what is missing is missing after a minute too.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    ...devices['Desktop Chrome'],
    // Set by house.ts before the journeys are loaded.
    baseURL: process.env.JOURNEY_URL,
    viewport: { width: 1440, height: 900 },
    // Recording costs a third of the whole time; `--trace on` records the journey that is to be understood.
    trace: 'off',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH },
  },
})
