import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ButtonLink } from './Button.tsx'
import styles from './Button.module.css'

/** Above the content of a page that is not in the sidebar: to the page that it belongs to. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <ButtonLink
      kind="quiet"
      size="small"
      className={styles.back}
      to={to}
      icon={<IconArrowLeft aria-hidden="true" />}
    >
      {children}
    </ButtonLink>
  )
}
