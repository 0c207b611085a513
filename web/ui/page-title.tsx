/** The page's name: the only h1, the document's title, and where the focus goes when the page changes. */
import { useEffect, useId, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { texts } from './texts.ts'

/** 'Orders · Name of the product' in the tab. */
export function useDocumentTitle(title: string, product: string): void {
  useEffect(() => {
    document.title = title === product ? title : `${title} · ${product}`
  }, [title, product])
}

type PageTitleProps = {
  title: string
  /** Which page of several with the same title: said with it, and before it in the tab. */
  part?: string
  product: string
  className?: string
}

/**
 * The h1. After a change of path it takes the focus, so that readers hear where they are; on the first page it does not,
 * and a change of `?page=` leaves the focus on the pagination.
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
    // Back and Forward return to where one was reading; the browser does that. A new page is read from its top.
    if (!restored) window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
    // Only a new path is a new page.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pathname])
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className={className} aria-describedby={part && id}>
        {title}
      </h1>
      {part && (
        <span id={id} hidden>
          {part}
        </span>
      )}
    </>
  )
}

/** The first thing Tab reaches. */
export function SkipLink({ to = 'content', text = texts.skip }: { to?: string; text?: string }) {
  return (
    <a
      href={`#${to}`}
      className="skip-link"
      onClick={event => {
        event.preventDefault()
        document.getElementById(to)?.focus()
      }}
    >
      {text}
    </a>
  )
}
