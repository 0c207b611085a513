import type { ComponentProps } from 'react'
import { useRef } from 'react'
import { Button } from './Button.tsx'

type FileButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'onClick' | 'type'> & {
  children: string
  /** Endings, as in '.csv'. A file of another kind can be chosen all the same, so look at what comes. */
  accept: string
  onFile: (file: File) => void
}

/** A button that asks for one file. The field behind it is hidden, so that it looks and behaves like any other button. */
export function FileButton({ children, accept, onFile, ...rest }: FileButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...rest} onClick={() => field.current?.click()}>
        {children}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        accept={accept}
        aria-label={children}
        onChange={event => {
          const [file] = event.currentTarget.files ?? []
          // Else the same file, mended and chosen again, would not be heard of.
          event.currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}
