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
      // The errors are rendered in the next frame.
      requestAnimationFrame(() => form.isConnected && focusFirstError(form))
    }
  }
  return (
    <form {...rest} noValidate onSubmit={submit}>
      {children}
    </form>
  )
}
