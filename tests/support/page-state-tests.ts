/**
 * Tests of the modules that keep the state of a page (session, connections, progress of orders), and those that replace what a
 * browser has. Each file loads its own modules, which takes 0.12 s of CPU; the other tests of pages share theirs.
 */
export const PAGE_STATE_TESTS = [
  'web/client/**/*.test.{ts,tsx}',
  'web/shell/**/*.test.{ts,tsx}',
  'web/batches/progress/**/*.test.{ts,tsx}',
  'web/batches/batch-actions.test.ts',
  'web/batches/bulk/drafts/bulk-store.test.ts',
  'web/batches/bulk/submit/submit.test.ts',
  'web/batches/bulk/repeats/bought-here.test.ts',
  'web/batches/import/read-worker.test.ts',
]

const MODULES_WITH_STATE = ['session', 'socket', 'progress-store', 'bulk-store', 'toasts']

/** What a test does that needs modules of its own. */
export const NEEDS_PAGE_STATE = new RegExp(
  [
    String.raw`\bvi\.(mock|doMock|hoisted|stub|spyOn|useFakeTimers|setSystemTime)`,
    'createServer',
    String.raw`configureSend\(`,
    String.raw`/(${MODULES_WITH_STATE.join('|')})\.tsx?'`,
  ].join('|'),
)
