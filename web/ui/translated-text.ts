/**
 * Lets React work on a page that the browser translates. Chrome puts a `<font>` in the place of each text: React would throw where it
 * removes the text, and change a price that is no longer shown.
 */

/** Of texts that are out of the page. */
const translations = new WeakMap<Node, Element>()
const usedTranslations = new WeakSet<Node>()

/** Call it before React renders. */
export function followTranslation(): void {
  let isTranslated = false
  const changes = new MutationObserver(records => {
    for (const { target } of records) showAgain(target)
  })
  const replacements = new MutationObserver(records => {
    for (const record of records)
      for (const text of record.removedNodes) {
        const shown = text instanceof Text && !text.isConnected ? translationIn(record) : undefined
        if (!shown) continue
        if (!isTranslated) acceptTranslations()
        isTranslated = true
        usedTranslations.add(shown)
        translations.set(text, shown)
        changes.observe(text, { characterData: true })
      }
  })
  replacements.observe(document.body, { childList: true, subtree: true })
}

/** It comes in one step with the removal of the text, or in one before. */
const translationIn = ({ addedNodes, previousSibling, nextSibling }: MutationRecord) =>
  [...addedNodes, previousSibling, nextSibling].find(
    (node): node is HTMLElement =>
      node instanceof HTMLElement && node.localName === 'font' && !usedTranslations.has(node),
  )

/** Until the new text is translated. */
function showAgain(text: Node): void {
  if (!text.isConnected) translations.get(text)?.replaceWith(text)
  translations.delete(text)
}

/** What stands in `parent` for the node. */
function shownIn(parent: Node, node: Node): Node | null {
  let shown: Node | null = node.isConnected ? node : (translations.get(node) ?? null)
  while (shown && shown.parentNode !== parent) shown = shown.parentNode
  return shown
}

function acceptTranslations(): void {
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child
    const shown = translations.get(child) ?? child
    if (this.contains(shown)) shown.parentNode?.removeChild(shown)
    translations.delete(child)
    return child
  }
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    child: Child,
    before: Node | null,
  ): Child {
    translations.get(child)?.remove()
    translations.delete(child)
    const place = before && before.parentNode !== this ? shownIn(this, before) : before
    return insertBefore.call(this, child, place) as Child
  }
}
