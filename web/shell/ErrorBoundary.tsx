import { Component } from 'react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/ListTable.tsx'
import { texts } from './texts.ts'

/** `page`: within a frame that has the title and goes on working; otherwise everything is caught. */
type ErrorBoundaryProps = { children: ReactNode; insideFrame?: boolean }

/** Catches what a page throws while drawing, for instance a chunk that a new release has taken away. A class because React asks for one. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    if (!this.state.crashed) return this.props.children
    const Frame = this.props.insideFrame ? 'div' : 'main'
    return (
      <Frame role="alert">
        <EmptyState
          heading={this.props.insideFrame ? 'h2' : 'h1'}
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
}
