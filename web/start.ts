/**
 * Entry point of the pages that the build has rendered. The code of the application occupies a slow phone for a while, so it
 * starts with the first touch, key or focus, at the latest soon after the page has loaded. What was typed before is kept
 * (ui/Form.tsx).
 */
import { readToken } from '#web/client/tokens.ts'
import { importWithRetry } from '#web/shell/load-page.ts'

const LATEST_START_MS = 5_000
const SIGNS_OF_USE = ['pointerdown', 'keydown', 'focusin', 'input'] as const

let started = false

function start(): void {
  if (started) return
  started = true
  for (const sign of SIGNS_OF_USE) removeEventListener(sign, start)
  void importWithRetry(() => import('./main.tsx'))
}

const startSoon = () => setTimeout(start, LATEST_START_MS)

if (readToken('own') !== null || document.activeElement instanceof HTMLInputElement) start()
else {
  for (const sign of SIGNS_OF_USE) addEventListener(sign, start, { passive: true })
  if (document.readyState === 'complete') startSoon()
  else addEventListener('load', startSoon)
}
