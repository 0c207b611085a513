/** Interaction of the page of the API, which is readable without it. */
import { setUpThemeButton } from '#web/landing/theme-button.ts'
import { setUpActiveSection } from './active-section.ts'
import { setUpColoring } from './coloring.ts'
import { setUpContents, setUpRevealing } from './contents.ts'
import { setUpCopying } from './copying.ts'
import { setUpFolding } from './folding.ts'
import { setUpLanguages } from './languages.ts'
import { setUpSearch } from './search.ts'

setUpThemeButton(document.querySelector('[data-theme-button]'))
setUpLanguages(document.querySelectorAll('[data-language-choice]'))
setUpCopying(document.querySelectorAll('[data-copy]'))
setUpFolding(document.querySelectorAll('[data-fold-button]'))
setUpColoring(document.querySelectorAll('pre code'))
setUpSearch(document.querySelector('[data-search]'))
setUpContents(document.querySelector('[data-contents]'))
setUpRevealing()
setUpActiveSection(document.querySelector('[data-side]'))
// The style sheets hide until now what this code would have hidden.
document.documentElement.toggleAttribute('data-ready', true)
