import type { ReactNode } from 'react'
import { PRODUCT } from '#contract/product.ts'
import { PagesFooter } from '#web/shell/PagesFooter.tsx'
import { PublicHeader } from '#web/shell/PublicHeader.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import support from '#web/support/Support.module.css'
import styles from './Parcel.module.css'

type ParcelFrameProps = {
  title: string
  /** Above the title of a page with little on it, which is then in the middle of the window. */
  picture?: ReactNode
  children: ReactNode
}

/** The frame of pages for receivers, who have no account. */
export function ParcelFrame({ title, picture, children }: ParcelFrameProps) {
  return (
    <div className={support.frame}>
      <PublicHeader side="none" />
      <main
        id="content"
        tabIndex={-1}
        className={styles.main}
        data-middle={picture ? true : undefined}
      >
        {picture}
        <PageTitle title={title} product={PRODUCT} className={support.title} />
        {children}
      </main>
      <PagesFooter forReceivers />
    </div>
  )
}
