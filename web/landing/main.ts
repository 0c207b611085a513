/** What moves on the landing page. The page stands without it: readable, every link in its place. */
import { showBackdrop } from './backdrop.ts'
import { keepOneAnswerOpen } from './faq.ts'
import { revealOnScroll } from './reveal.ts'
import { setUpThemeButton } from './theme-button.ts'
import { wobbleBeforeLeaving } from './wobble.ts'

showBackdrop(document.querySelector('[data-backdrop]'))
wobbleBeforeLeaving(document.querySelector('[data-wobbles]'))
setUpThemeButton(document.querySelector('[data-theme-button]'))
keepOneAnswerOpen(document.querySelectorAll('details'))
revealOnScroll(document.querySelectorAll('[data-arrives]'))
void loadForSignedIn()

/** Whoever is signed in is known here too; the rest of the product is only loaded for those who have been. */
async function loadForSignedIn(): Promise<void> {
  let token: string | null = null
  try {
    token = localStorage.getItem('evenpost.token') // the key of client/session.ts
  } catch {
    // Storage is closed to us: nobody is remembered.
  }
  if (token) (await import('./signed-in.tsx')).mountForSignedIn()
}
