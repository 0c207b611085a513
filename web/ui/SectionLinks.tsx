import { keepCurrentInRow } from './fade-at-edges.ts'
import type { useSections } from './use-sections.ts'
import styles from './SectionLinks.module.css'

type SectionLinksProps = {
  name: string
  parts: Pick<ReturnType<typeof useSections>, 'sections' | 'chosen' | 'choose'>
}

/** Links to the parts of a long page, in a row that stays in view below the header. */
export function SectionLinks({ name, parts: { sections, chosen, choose } }: SectionLinksProps) {
  return (
    <nav ref={keepCurrentInRow} className={styles.links} aria-label={name}>
      {sections.map(({ id, text }) => (
        <a
          key={id}
          href={`#${id}`}
          className={styles.link}
          aria-current={id === chosen ? 'location' : undefined}
          onClick={event => {
            event.preventDefault()
            choose(id)
          }}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}
