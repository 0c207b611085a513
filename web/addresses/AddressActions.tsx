/** What can be done with a row: making it the default sender, Edit and Delete. */
import { IconPencil, IconStar, IconStarOff, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { SavedAddress } from '#contract/addresses.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import { Button, IconButton } from '#web/ui/Button.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'
import type { Addresses } from './use-addresses.ts'
import styles from './Addresses.module.css'

type AddressActionsProps = {
  address: SavedAddress
  addresses: Addresses
  /** With a menu in place of the buttons. */
  compact: boolean
  editId: string
  onEdit: (address: SavedAddress) => void
  onDelete: (address: SavedAddress) => void
}

export function AddressActions({
  address,
  addresses,
  compact,
  editId,
  onEdit,
  onDelete,
}: AddressActionsProps) {
  const [busy, setBusy] = useState(false)
  const { isDefault } = address
  const changeDefault = async () => {
    // The menu can be opened again before the answer.
    if (busy) return
    setBusy(true)
    try {
      await addresses.setDefault(isDefault ? null : address._id)
      toastSuccess(isDefault ? texts.done.clearDefault : texts.done.setDefault)
    } catch {
      toastError(texts.failed.setDefault)
    }
    setBusy(false)
  }
  const defaultText = isDefault ? texts.clearDefault : texts.makeDefault
  if (compact)
    return (
      <span className={styles.compact}>
        <ActionMenu
          name={texts.more(address.address_id)}
          actions={[
            { text: texts.edit, icon: IconPencil, onClick: () => onEdit(address) },
            {
              text: defaultText,
              icon: isDefault ? IconStarOff : IconStar,
              onClick: () => void changeDefault(),
            },
            {
              text: texts.remove,
              icon: IconTrash,
              danger: true,
              dividerBefore: true,
              onClick: () => onDelete(address),
            },
          ]}
        />
      </span>
    )
  // The buttons of all rows have the same names.
  const ofRow = { 'aria-description': address.address_id }
  return (
    <span className={styles.actions}>
      <Button kind="quiet" size="small" busy={busy} onClick={changeDefault} {...ofRow}>
        {defaultText}
      </Button>
      <Button size="small" id={editId} onClick={() => onEdit(address)} {...ofRow}>
        {texts.edit}
      </Button>
      <IconButton name={texts.remove} onClick={() => onDelete(address)} {...ofRow}>
        <IconTrash aria-hidden="true" />
      </IconButton>
    </span>
  )
}

export const AddressName = ({ address: { address_id, isDefault } }: { address: SavedAddress }) => (
  <span className={styles.id}>
    <span>{address_id}</span> {isDefault && <span className={styles.badge}>{texts.default}</span>}
  </span>
)
