import type { ReactNode } from 'react'
import { EXAMPLES } from '#contract/openapi/examples.ts'
import { Code, Words } from './Code.tsx'
import type { Block, Guide as GuideText } from './content.ts'
import { stepsOf } from './guide-steps.ts'
import { jsonText } from './json-text.ts'
import { texts } from './texts.ts'
import styles from './Guide.module.css'

/**
 * A request is below what is said, its response beside both, at every step: a reader looks for each in one place. Code without a
 * response is beside the text.
 */
export function Guide({ guide, children }: { guide: GuideText; children?: ReactNode }) {
  const steps = stepsOf(guide.blocks)
  const isNumbered = steps.every(({ title }) => title !== undefined)
  const Steps = isNumbered ? 'ol' : 'div'
  const Step = isNumbered ? 'li' : 'div'
  return (
    <section id={guide.id} className={styles.guide} aria-labelledby={`${guide.id}-title`}>
      <h2 id={`${guide.id}-title`}>{guide.title}</h2>
      <Steps className={styles.steps}>
        {steps.map(({ title, texts: words, codes }) => (
          <Step key={JSON.stringify([title, words, codes])} className={styles.step}>
            <div className={styles.words}>
              {title !== undefined && <h3>{title}</h3>}
              {words.map(block => (
                <BlockView key={JSON.stringify(block)} block={block} />
              ))}
            </div>
            <Codes blocks={codes} />
          </Step>
        ))}
      </Steps>
      {children}
    </section>
  )
}

function Codes({ blocks }: { blocks: Block[] }) {
  if (blocks.length === 0) return null
  const responses = blocks.filter(block => 'answerOf' in block)
  const requests = blocks.filter(block => !('answerOf' in block))
  const [below, beside] = responses.length > 0 ? [requests, responses] : [[], requests]
  return (
    <>
      {below.length > 0 && <div className={styles.below}>{below.map(viewOf)}</div>}
      <div className={styles.beside}>{beside.map(viewOf)}</div>
    </>
  )
}

const viewOf = (block: Block) => <BlockView key={JSON.stringify(block)} block={block} />

function BlockView({ block }: { block: Block }) {
  if ('step' in block) return null
  if ('code' in block)
    return (
      <Code
        label={block.label ?? texts.shell}
        status={block.status}
        code={block.code}
        runs={block.runs}
      />
    )
  if ('answerOf' in block)
    return (
      <Code
        label={texts.example}
        status={200}
        code={jsonText(EXAMPLES[block.answerOf]?.response)}
        folds
      />
    )
  if ('p' in block)
    return (
      <p>
        <Words text={block.p} />
      </p>
    )
  return (
    <ul>
      {block.list.map(entry => (
        <li key={entry}>
          <Words text={entry} />
        </li>
      ))}
    </ul>
  )
}
