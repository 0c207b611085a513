import type { Block } from './content.ts'

/** What is said, and the code for it. `title`: of a numbered step. */
type GuideStep = { title?: string; texts: Block[]; codes: Block[] }

/** Blocks as steps: code belongs to the text before it; a name, or text after code, begins another step. Pure. */
export function stepsOf(blocks: readonly Block[]): GuideStep[] {
  const steps: GuideStep[] = []
  for (const block of blocks) {
    const last = steps.at(-1)
    if ('step' in block) steps.push({ title: block.step, texts: [], codes: [] })
    else if ('code' in block || 'answerOf' in block) {
      if (last) last.codes.push(block)
      else steps.push({ texts: [], codes: [block] })
    } else if (last && last.codes.length === 0) last.texts.push(block)
    else steps.push({ texts: [block], codes: [] })
  }
  return steps
}
