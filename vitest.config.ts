import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Journeys need a browser and are run by Playwright.
    exclude: ['**/node_modules/**', 'tests/journeys/**'],
    environment: 'node',
    globalSetup: ['tests/support/cluster.ts'],
    // Modules are loaded once for each worker, not once for each file: several times faster. Nothing here keeps state in a module.
    isolate: false,
    pool: 'threads',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
