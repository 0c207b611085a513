import { ButtonLink } from '#web/ui/Button.tsx'
import { texts } from './texts.ts'
import styles from './Parcel.module.css'

/** Not a router link: the landing page is a document of its own. */
export const HomeLink = () => (
  <ButtonLink href="/" className={styles.button}>
    {texts.toHome}
  </ButtonLink>
)
