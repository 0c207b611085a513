import type { ComponentProps } from 'react'
import { useRef } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { ACCEPTED_FILES } from './DropZone.tsx'

type FilesButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'onClick' | 'type'> & {
  children: string
  onFiles: (files: File[]) => void
}

/** Chooses files for the table. */
export function FilesButton({ children, onFiles, ...rest }: FilesButtonProps) {
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
        multiple
        accept={ACCEPTED_FILES}
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
