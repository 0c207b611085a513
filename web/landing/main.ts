import { arrive } from './arrive.ts'
/** What moves on the landing page. The page stands without it: readable, every link in its place. */
import { showBackdrop } from './backdrop.ts'
import { keepOneOpen } from './questions.ts'
import { switchTheme } from './theme-button.ts'
import { wobble } from './wobble.ts'

showBackdrop(document.querySelector('[data-backdrop]'))
wobble(document.querySelector('[data-wobbles]'))
switchTheme(document.querySelector('[data-theme-button]'))
keepOneOpen(document.querySelectorAll('details'))
arrive(document.querySelectorAll('[data-arrives]'))
void greet()

/** Whoever is signed in is known here too; the rest of the product is only loaded for those who have been. */
async function greet(): Promise<void> {
  let token: string | null = null
  try {
    token = localStorage.getItem('evenpost.token') // the key of client/session.ts
  } catch {
    // Storage is closed to us: nobody is remembered.
  }
  if (token) (await import('./signed-in.tsx')).welcomeBack()
}
