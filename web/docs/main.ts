/** Interaction of the page of the API, which is readable without it. */
import { setUpThemeButton } from '#web/landing/theme-button.ts'
import { setUpActiveSection } from './active-section.ts'
import { setUpColoring } from './coloring.ts'
import { setUpCopying } from './copying.ts'
import { setUpLanguages } from './languages.ts'
import { setUpSearch } from './search.ts'

setUpThemeButton(document.querySelector('[data-theme-button]'))
setUpLanguages(document.querySelectorAll('input[name="language"]'))
setUpCopying(document.querySelectorAll('[data-copy]'))
setUpColoring(document.querySelectorAll('pre code'))
setUpSearch(document.querySelector('[data-search]'))
setUpActiveSection(document.querySelector('[data-side]'))

// On a phone the contents would stand before everything else.
const contents = document.querySelector<HTMLDetailsElement>('[data-contents]')
if (contents && matchMedia('(max-width: 767.98px)').matches) contents.open = false
