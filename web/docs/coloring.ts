import { codeParts } from '#web/ui/code-parts.ts'

/** Colors parts of each snippet (Code.module.css) without elements of their own, so that the page stays small. */
export function setUpColoring(snippets: Iterable<HTMLElement>): void {
  if (!('highlights' in CSS)) return
  const ranges = { string: new Highlight(), key: new Highlight(), flag: new Highlight() }
  for (const snippet of snippets) {
    const pointAt = pointsIn(snippet)
    for (const { kind, start, end } of codeParts(snippet.textContent)) {
      const [startContainer, startOffset] = pointAt(start)
      const [endContainer, endOffset] = pointAt(end)
      const range = new StaticRange({ startContainer, startOffset, endContainer, endOffset })
      ranges[kind].add(range)
    }
  }
  for (const [kind, highlight] of Object.entries(ranges))
    CSS.highlights.set(`code-${kind}`, highlight)
}

/** Finds the text node and the offset in it of a position in all the text: each line of code has its own. */
function pointsIn(snippet: HTMLElement): (position: number) => [Text, number] {
  let before = 0
  const nodes: { node: Text; start: number }[] = []
  const walker = document.createTreeWalker(snippet, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    nodes.push({ node, start: before })
    before += node.length
  }
  return position => {
    const { node, start } = nodes.findLast(one => one.start <= position)!
    return [node, position - start]
  }
}
