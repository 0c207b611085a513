/** At most one answer is open (specification, 2). Browsers that know `details name` do it alone. */
export function keepOneAnswerOpen(questions: NodeListOf<HTMLDetailsElement>): void {
  if ('name' in HTMLDetailsElement.prototype) return
  for (const question of questions) {
    question.addEventListener('toggle', () => {
      if (!question.open) return
      for (const other of questions) if (other !== question) other.open = false
    })
  }
}
