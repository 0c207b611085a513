/** The page's only h1, the document title, and the focus after a change of page. */
import { useEffect, useId, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { texts } from './texts.ts'

/** 'Orders · <product>'. */
export function useDocumentTitle(title: string, product: string): void {
  useEffect(() => {
    document.title = title === product || title === '' ? product : `${title} · ${product}`
  }, [title, product])
}

type PageTitleProps = {
  /** Empty while it is loading. */
  title: string
  /** Name of the page where several share the title: announced with it, and first in the tab. */
  part?: string
  product: string
  className?: string
}

/**
 * The h1. It gets the focus when the path changes, so that screen readers announce the page, but not on the first page. A
 * change of `?page=` leaves the focus on the pagination.
 */
export function PageTitle({ title, part, product, className }: PageTitleProps) {
  const { pathname, key } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  const first = useRef(key === 'default')
  const restored = useNavigationType() === NavigationType.Pop
  useDocumentTitle(part ? `${part} · ${title}` : title, product)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    // After Back and Forward the browser restores the scroll position; a new page starts at the top.
    if (!restored) window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
    // Only a new path is a new page.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pathname])
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className={className} aria-describedby={part && id}>
        {/* A heading without a text has no name for screen readers. */}
        {title || <span className="visually-hidden">{texts.loading}</span>}
      </h1>
      {part && (
        <span id={id} hidden>
          {part}
        </span>
      )}
    </>
  )
}

/** Of the page's <main>. */
const CONTENT_ID = 'content'

/** Must be the first focusable element. */
export function SkipLink() {
  return (
    <a
      href={`#${CONTENT_ID}`}
      className="skip-link"
      onClick={event => {
        event.preventDefault()
        document.getElementById(CONTENT_ID)?.focus()
      }}
    >
      {texts.skip}
    </a>
  )
}
