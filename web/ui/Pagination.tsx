import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { announce } from './announce.tsx'
import { PAGE_GAP, pageNumbersFor } from './paging.ts'
import { texts } from './texts.ts'
import styles from './Pagination.module.css'

/** Renders nothing for a single page. `name` tells two paginations of one screen apart. */
export function Pagination({
  page,
  pages,
  onPage,
  name,
}: {
  page: number
  pages: number
  onPage: (page: number) => void
  name: string
}) {
  if (pages < 2) return null
  const goTo = (next: number) => {
    onPage(next)
    announce(texts.pageOf(next, pages))
  }
  return (
    <nav className={styles.nav} aria-label={texts.pagesOf(name)}>
      <PageStepButton name={texts.previousPage} disabled={page <= 1} onClick={() => goTo(page - 1)}>
        <IconChevronLeft aria-hidden="true" />
      </PageStepButton>
      {pageNumbersFor(page, pages).map((mark, place) =>
        mark === PAGE_GAP ? (
          <span key={`gap ${place}`} className={styles.gap} aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={mark}
            type="button"
            className={styles.page}
            aria-current={mark === page ? 'page' : undefined}
            onClick={() => goTo(mark)}
          >
            {mark}
          </button>
        ),
      )}
      <PageStepButton name={texts.nextPage} disabled={page >= pages} onClick={() => goTo(page + 1)}>
        <IconChevronRight aria-hidden="true" />
      </PageStepButton>
    </nav>
  )
}

function PageStepButton({
  name,
  disabled,
  onClick,
  children,
}: {
  name: string
  disabled: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      className={styles.page}
      aria-label={name}
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onClick()}
    >
      {children}
    </button>
  )
}
