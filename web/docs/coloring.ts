import { codeParts } from '#web/ui/code-parts.ts'

/** Colors parts of each snippet (Code.module.css). The text stays one node, so that the page stays small. */
export function setUpColoring(snippets: Iterable<HTMLElement>): void {
  if (!('highlights' in CSS)) return
  const ranges = { string: new Highlight(), key: new Highlight(), flag: new Highlight() }
  for (const { firstChild: text } of snippets) {
    if (!(text instanceof Text)) continue
    for (const { kind, start, end } of codeParts(text.data)) {
      const range = new StaticRange({
        startContainer: text,
        startOffset: start,
        endContainer: text,
        endOffset: end,
      })
      ranges[kind].add(range)
    }
  }
  for (const [kind, highlight] of Object.entries(ranges))
    CSS.highlights.set(`code-${kind}`, highlight)
}
