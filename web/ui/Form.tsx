/** A form without the browser's own messages. After a submit the first invalid field gets the focus. */
import type { ComponentProps, FormEvent } from 'react'
import { useRef } from 'react'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** While it runs, a second submit is ignored. */
  onSubmit: () => void | Promise<void>
}

/** Focuses the first field with aria-invalid inside `within`; false when there is none. */
export function focusFirstError(within: ParentNode): boolean {
  const field = within.querySelector<HTMLElement>(
    'input[aria-invalid="true"], textarea[aria-invalid="true"], select[aria-invalid="true"]',
  )
  field?.focus()
  return field !== null
}

/** Frames until errors are rendered; one, unless the page is busy. */
const MAX_FRAMES = 20

/** `focusFirstError` as soon as errors are rendered. */
export function focusFirstErrorSoon(within: () => ParentNode, frames = 0): void {
  requestAnimationFrame(() => {
    if (!focusFirstError(within()) && frames < MAX_FRAMES) focusFirstErrorSoon(within, frames + 1)
  })
}

export function Form({ onSubmit, children, ...rest }: FormProps) {
  const running = useRef(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const form = event.currentTarget
    if (running.current) return
    running.current = true
    try {
      await onSubmit()
    } finally {
      running.current = false
      focusFirstErrorSoon(() => form)
    }
  }
  return (
    <form {...rest} noValidate onSubmit={submit}>
      {children}
    </form>
  )
}
