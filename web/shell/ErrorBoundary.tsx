import { Component } from 'react'
import type { ReactNode } from 'react'
import { useRouteError } from 'react-router'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChunkError } from './load-page.ts'
import { texts } from './texts.ts'

type ErrorPageProps = { insideFrame?: boolean; error?: unknown }

/**
 * In place of a page that failed while rendering. `insideFrame`: the frame around it has the h1. Only a reload helps: React.lazy
 * remembers a failed import.
 */
export function ErrorPage({ insideFrame = false, error }: ErrorPageProps) {
  const isChunk = error instanceof ChunkError
  const Frame = insideFrame ? 'div' : 'main'
  return (
    <Frame role="alert">
      <EmptyState
        heading={insideFrame ? 'h2' : 'h1'}
        title={isChunk ? texts.chunkGone : texts.crashed}
        text={isChunk ? texts.chunkGoneText : texts.crashedText}
        action={
          <Button kind="ink" onClick={() => location.reload()}>
            {texts.reload}
          </Button>
        }
      />
    </Frame>
  )
}

export const RouteErrorPage = ({ insideFrame = false }: Pick<ErrorPageProps, 'insideFrame'>) => (
  <ErrorPage insideFrame={insideFrame} error={useRouteError()} />
)

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
