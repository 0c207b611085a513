import { Component } from 'react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { texts } from './texts.ts'

/**
 * In place of a page that failed while rendering, for instance because a new release has removed its chunk. `insideFrame`: the
 * frame around it has the h1. Only a reload helps: React.lazy remembers a failed import.
 */
export function ErrorPage({ insideFrame = false }: { insideFrame?: boolean }) {
  const Frame = insideFrame ? 'div' : 'main'
  return (
    <Frame role="alert">
      <EmptyState
        heading={insideFrame ? 'h2' : 'h1'}
        title={texts.crashed}
        text={texts.crashedText}
        action={
          <Button kind="ink" onClick={() => location.reload()}>
            {texts.reload}
          </Button>
        }
      />
    </Frame>
  )
}

type ErrorBoundaryProps = { children: ReactNode; fallback: ReactNode }

/** Catches rendering errors outside the router, which has its own boundaries (web/routes.tsx). */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
