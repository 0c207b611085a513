import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { Button } from './Button.tsx'
import { texts } from './texts.ts'

type FiltersButtonProps = {
  /** How many filters are set. */
  chosen: number
  isOpen: boolean
  onToggle: () => void
}

/** Opens the filters of a list on phones, where they would push its rows down. */
export const FiltersButton = ({ chosen, isOpen, onToggle }: FiltersButtonProps) => (
  <Button
    icon={<IconAdjustmentsHorizontal aria-hidden="true" />}
    aria-expanded={isOpen}
    onClick={onToggle}
  >
    {texts.filters(chosen)}
  </Button>
)
