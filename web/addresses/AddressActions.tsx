/** What can be done with a row: the star of the default sender, Edit and Delete. */
import { IconPencil, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react'
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
  /** With a menu in place of the buttons, and the star, which has a column in the table. */
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
  if (compact)
    return (
      <span className={styles.compact}>
        <DefaultSenderButton address={address} addresses={addresses} />
        <ActionMenu
          name={texts.more(address.address_id)}
          actions={[
            { text: texts.edit, icon: IconPencil, onClick: () => onEdit(address) },
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
  return (
    <span className={styles.actions}>
      <Button size="small" id={editId} onClick={() => onEdit(address)}>
        {texts.edit}
      </Button>
      <IconButton name={texts.remove} onClick={() => onDelete(address)}>
        <IconTrash aria-hidden="true" />
      </IconButton>
    </span>
  )
}

/** Pressed for the default sender; pressing it again leaves none. */
export function DefaultSenderButton({
  address: { _id, isDefault },
  addresses,
}: Pick<AddressActionsProps, 'address' | 'addresses'>) {
  const [busy, setBusy] = useState(false)
  const change = async () => {
    setBusy(true)
    try {
      await addresses.setDefault(isDefault ? null : _id)
      toastSuccess(isDefault ? texts.done.clearDefault : texts.done.setDefault)
    } catch {
      toastError(texts.failed.setDefault)
    }
    setBusy(false)
  }
  const Icon = isDefault ? IconStarFilled : IconStar
  return (
    <IconButton name={texts.defaultSender} aria-pressed={isDefault} busy={busy} onClick={change}>
      <Icon aria-hidden="true" />
    </IconButton>
  )
}
