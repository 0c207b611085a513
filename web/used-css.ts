/** Reduces the styles inside a page that the build has rendered: the application brings the rest. */

/** A rule without rules inside, in minified CSS. */
const PLAIN_RULE = /(?<=^|[{}])([^{}@;]+)\{([^{}]*)\}/g
/** A class of a CSS module, as Vite names it. */
const MODULE_CLASS = /\.(_\w+_[a-z0-9]{5}_\d+)/g
const VARIABLE = /(--[\w-]+):[^;{}]*;?/g

/** Leaves out rules for classes that `markup` does not have, then variables that nothing uses. `css` is minified. */
export function usedCss(css: string, markup: string): string {
  const rules = css.replace(PLAIN_RULE, (rule, selectors: string) =>
    selectorsOf(selectors).every(selector => needsMissingClass(selector, markup)) ? '' : rule,
  )
  return withoutUnusedVariables(rules, markup)
}

/** Splits at commas outside of brackets. */
const selectorsOf = (list: string): string[] => list.split(/,(?![^(]*\))/)

const needsMissingClass = (selector: string, markup: string): boolean =>
  Array.from(selector.replace(/:(?:not|is|where|has)\(.*\)/g, '').matchAll(MODULE_CLASS)).some(
    ([, name]) => !markup.includes(name!),
  )

/** A variable may be used by another one only, so this repeats until nothing is left out. */
function withoutUnusedVariables(css: string, markup: string): string {
  const used = new Set(Array.from((css + markup).matchAll(/var\((--[\w-]+)/g), ([, name]) => name))
  const rest = css.replace(VARIABLE, (declaration, name: string) =>
    used.has(name) ? declaration : '',
  )
  return rest === css ? css : withoutUnusedVariables(rest, markup)
}
