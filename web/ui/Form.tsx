/** A form without the browser's own messages. After a submit the first invalid field gets the focus. */
import { useMergedRef } from '@mantine/hooks'
import type { ComponentProps, FormEvent } from 'react'
import { useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'

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

/** Of a page that the build has rendered. */
const earlyForms: readonly HTMLFormElement[] =
  typeof document === 'undefined'
    ? []
    : [...document.querySelectorAll<HTMLFormElement>('form[data-early]')]

/** Where a password manager has changed the form, React has taken it out and rendered another one. */
const earlyFormOf = (form: HTMLFormElement): HTMLFormElement | undefined =>
  'early' in form.dataset
    ? form
    : earlyForms.find(({ dataset, isConnected }) => 'early' in dataset && !isConnected)

/**
 * In a page that the build has rendered, the user may type and submit before this code runs (web/early-forms.js): what the
 * fields show then becomes their value, and the form is submitted. All in the task of the hydration, so that no key comes
 * between: a rendering for one field resets what the others show.
 */
function adoptEarlyInput(form: HTMLFormElement | null): void {
  const early = form && earlyFormOf(form)
  if (!early) return
  const typed = [...early.querySelectorAll('input')].flatMap(({ name, value }) => {
    const field = form.elements.namedItem(name)
    return value !== '' && field instanceof HTMLInputElement ? [[field, value] as const] : []
  })
  // A layout effect may not render; a microtask runs right after its commit.
  queueMicrotask(() => {
    for (const [field, value] of typed) {
      // React takes over only what differs from the value that it has set itself.
      field.value = ''
      setNativeValue?.call(field, value)
      flushSync(() => void field.dispatchEvent(new Event('input', { bubbles: true })))
    }
    const submitted = early.dataset.early === 'submitted'
    delete early.dataset.early
    if (submitted) form.requestSubmit()
  })
}

const setNativeValue =
  typeof HTMLInputElement === 'undefined'
    ? undefined
    : Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set

export function Form({ onSubmit, children, ref, ...rest }: FormProps) {
  const running = useRef(false)
  const element = useRef<HTMLFormElement>(null)
  const refs = useMergedRef(element, ref)
  // Before the next rendering resets the fields.
  useLayoutEffect(() => adoptEarlyInput(element.current), [])
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
    // Without scripts, fields must not get into the URL.
    <form {...rest} ref={refs} method="post" noValidate onSubmit={submit}>
      {children}
    </form>
  )
}
