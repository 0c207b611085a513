/** Interaction of the landing page, which is readable and usable without it. */
import { showBackdrop } from './backdrop.ts'
import { keepOneAnswerOpen } from './faq.ts'
import { setUpPriceSlider } from './price-slider.ts'
import { revealOnScroll } from './reveal.ts'
import { closeAfterChoice } from './section-links.ts'
import { setUpThemeButton } from './theme-button.ts'
import { wobbleBeforeLeaving } from './wobble.ts'

showBackdrop(document.querySelector('[data-backdrop]'))
wobbleBeforeLeaving(document.querySelector('[data-wobbles]'))
setUpThemeButton(document.querySelector('[data-theme-button]'))
closeAfterChoice(document.querySelector('[popover]'))
keepOneAnswerOpen(document.querySelectorAll('details'))
setUpPriceSlider(document.querySelector('[data-price-chart]'))
revealOnScroll(document.querySelectorAll('[data-arrives]'))
void loadForSignedIn()

/** Only visitors with a remembered token load the code of the application. */
async function loadForSignedIn(): Promise<void> {
  let token: string | null = null
  try {
    token = localStorage.getItem('evenpost.token') // the key of client/tokens.ts
  } catch {
    // Storage is blocked.
  }
  if (token) (await import('./signed-in.tsx')).mountForSignedIn()
}
