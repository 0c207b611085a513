import type { ComponentProps } from 'react'
import { useRef } from 'react'
import { Button } from './Button.tsx'

type FileButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'onClick' | 'type'> & {
  children: string
  /** File extensions, such as '.csv'. Users can still choose another kind, so check the file. */
  accept: string
  multiple?: boolean
  /** One file unless `multiple`; none if the user cancels. */
  onFiles: (files: File[]) => void
}

/** Chooses files. The file input is hidden, so that the button looks like any other. */
export function FileButton({ children, accept, multiple, onFiles, ...rest }: FileButtonProps) {
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
        multiple={multiple}
        accept={accept}
        aria-label={children}
        onChange={event => {
          const files = [...(event.currentTarget.files ?? [])]
          // Otherwise choosing the same, corrected file again fires no event.
          event.currentTarget.value = ''
          onFiles(files)
        }}
      />
    </>
  )
}
