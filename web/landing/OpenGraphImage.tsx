/** The link preview image of the landing page, 1200 × 630 px. scripts/draw-pictures.ts takes a screenshot of it. */
import '#web/ui/fonts.css'
import '#web/ui/tokens.css'
import '#web/ui/base.css'
import { renderToStaticMarkup } from 'react-dom/server'
import { PRODUCT } from '#contract/product.ts'
import { SpecimenLabel } from '#web/shell/SpecimenLabel.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { content } from './content.ts'
import styles from './OpenGraphImage.module.css'

function OpenGraphImage() {
  return (
    <div className={styles.picture}>
      <div className={styles.panel} />
      <div className={styles.logo}>
        <Logo name={PRODUCT} />
      </div>
      <p className={styles.headline}>
        {content.hero.headline.map(line => (
          <span key={line}>{line}</span>
        ))}
      </p>
      <SpecimenLabel weight={content.hero.anvil.plain} className={styles.heavy} />
      <SpecimenLabel weight={content.hero.feather.plain} className={styles.light} />
    </div>
  )
}

export const render = (): string => renderToStaticMarkup(<OpenGraphImage />)
