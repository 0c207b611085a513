/** Keeps at most one answer open, in browsers that do not support `name` on details elements. */
export function keepOneAnswerOpen(questions: NodeListOf<HTMLDetailsElement>): void {
  if ('name' in HTMLDetailsElement.prototype) return
  for (const question of questions) {
    question.addEventListener('toggle', () => {
      if (!question.open) return
      for (const other of questions) if (other !== question) other.open = false
    })
  }
}
