/**
 * Entry point of the pages that the build has rendered. The application's code occupies a slow phone for a while, so it
 * starts with the first touch, key or focus, soon after loading, or at once when a form is in use. What was typed before is
 * kept (ui/Form.tsx). When the code cannot be loaded, the next sign of use tries again.
 */
import { readToken } from '#web/client/tokens.ts'
import { importWithRetry } from '#web/shell/load-page.ts'
import { texts } from './texts.ts'

const LATEST_START_MS = 5_000
const SIGNS_OF_USE = ['pointerdown', 'keydown', 'focusin', 'input'] as const

let started = false

function start(): void {
  if (started) return
  started = true
  for (const sign of SIGNS_OF_USE) removeEventListener(sign, start)
  importWithRetry(() => import('./main.tsx')).then(removeProblem, () => {
    showProblem()
    started = false
    listen()
  })
}

function listen(): void {
  for (const sign of SIGNS_OF_USE) addEventListener(sign, start, { passive: true })
}

/**
 * A line above the button of each form. What was submitted waits no longer: the user decides again. Chromium remembers that an
 * import failed, so only a reload helps there.
 */
function showProblem(): void {
  removeProblem()
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-early]')) {
    form.dataset.early = ''
    const line = document.createElement('p')
    line.role = 'alert'
    line.dataset.startProblem = ''
    const reload = document.createElement('a')
    reload.href = location.pathname
    reload.textContent = texts.reload
    line.append(`${texts.notLoaded} `, reload)
    form.querySelector('[type="submit"]')?.before(line)
  }
}

/** Not before the code is there: under a press, the button must not move. */
function removeProblem(): void {
  for (const line of document.querySelectorAll('[data-start-problem]')) line.remove()
}

/** A form was submitted before this script has run, or a field has a value, typed or filled in by the browser. */
const isFormInUse = (): boolean =>
  document.querySelector('form[data-early="submitted"], input:autofill') !== null
  || [...document.querySelectorAll('input')].some(({ value }) => value !== '')

const startSoon = () => setTimeout(start, LATEST_START_MS)

const isFieldFocused = document.activeElement instanceof HTMLInputElement
if (readToken('own') !== null || isFieldFocused || isFormInUse()) start()
else {
  listen()
  if (document.readyState === 'complete') startSoon()
  else addEventListener('load', startSoon)
}
