import { useEffect, useState } from 'react'
import type { AddressForm, SavedAddress } from '#contract/addresses.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { pageCountFor } from '#web/ui/paging.ts'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { usePaging } from '#web/ui/use-paging.ts'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { AddressPanel, EditAddressPanel } from './AddressPanel.tsx'
import { ADD_BUTTON_ID, AddressTable } from './AddressTable.tsx'
import { newAddress, searchAddresses, toAddressForm } from './draft.ts'
import { FirstAddress } from './FirstAddress.tsx'
import type { AddressField } from './sender.ts'
import { texts } from './texts.ts'
import { useAddressDraft } from './use-address-draft.ts'
import { useAddresses } from './use-addresses.ts'
import styles from './Addresses.module.css'

const PAGE_SIZE = 7

const ADDRESS_FIELDS = Object.keys(newAddress()) as AddressField[]
const focusedField = (): AddressField | undefined => {
  const focused = document.activeElement
  const names = [focused?.getAttribute('name'), focused?.getAttribute('data-name')]
  return ADDRESS_FIELDS.find(field => names.includes(field))
}

export function AddressPage() {
  const addresses = useAddresses()
  const { values, setFilters } = useUrlFilters(['search'])
  const found = addresses.list && searchAddresses(addresses.list, values.search)
  const paging = usePaging({ total: found?.length, size: PAGE_SIZE })
  /** The field of the new address that gets the focus; null while closed. */
  const [adding, setAdding] = useState<AddressField | null>(null)
  // One for both forms: what is typed while the first address is saved is there in the panel.
  const draft = useAddressDraft(newAddress)
  const edit = useOpened<SavedAddress>()
  const edited = edit.opened
  const [toDelete, setToDelete] = useState<SavedAddress | null>(null)

  const remove = async () => {
    if (!toDelete) return
    try {
      await addresses.remove(toDelete._id)
      toastSuccess(texts.done.remove)
    } catch {
      toastError(texts.failed.remove)
    }
    setToDelete(null)
  }

  const add = async (form: AddressForm) => {
    const { _id } = await addresses.add(form)
    toastSuccess(texts.done.add)
    return _id
  }
  const makeDefault = (id: string) =>
    addresses.setDefault(id).catch(() => toastError(texts.failed.setDefault))
  // The form had the focus and is gone.
  const [isFirstAdded, setFirstAdded] = useState(false)
  useEffect(() => {
    if (isFirstAdded && adding === null) document.getElementById(ADD_BUTTON_ID)?.focus()
  }, [isFirstAdded, adding])

  if (addresses.list?.length === 0)
    return (
      <FirstAddress
        draft={draft}
        onFailed={() => toastError(texts.failed.add)}
        onSubmit={async (form, isDefault) => {
          const id = await add(form)
          // Reports its own failure.
          if (isDefault) void makeDefault(id)
        }}
        onSaved={isChanged => {
          setFirstAdded(true)
          // Typing goes on in the panel.
          setAdding(isChanged ? (focusedField() ?? 'address_id') : null)
        }}
      />
    )
  return (
    <div className={styles.page}>
      <AddressTable
        addresses={addresses}
        found={found}
        search={values.search}
        onSearch={search => setFilters({ search })}
        paging={paging}
        onAdd={() => setAdding('address_id')}
        onDelete={setToDelete}
        // A copy: a panel that is opened again is another edit, which a late answer about the one before does not close.
        onEditInPanel={one => edit.open({ ...one })}
      />
      <AddressPanel
        draft={draft}
        opened={adding !== null}
        focusOn={adding ?? 'address_id'}
        title={texts.addTitle}
        submitName={texts.add}
        initialValues={newAddress}
        onClose={() => setAdding(null)}
        onFailed={() => toastError(texts.failed.add)}
        offersDefault
        onSubmit={async (form, isDefault) => {
          const id = await add(form)
          // New addresses are last.
          if (values.search !== '') setFilters({ search: '' })
          else paging.setPage(pageCountFor((addresses.list?.length ?? 0) + 1, PAGE_SIZE))
          // Reports its own failure, and the form is free for the next address.
          if (isDefault) void makeDefault(id)
        }}
      />
      {edited && (
        <EditAddressPanel
          key={edited._id}
          title={texts.editTitle}
          submitName={texts.save}
          initialValues={() => toAddressForm(edited)}
          onClose={() => edit.close(edited)}
          onFailed={() => toastError(texts.failed.update)}
          onSubmit={async form => {
            await addresses.update(edited._id, form)
            toastSuccess(texts.done.update)
          }}
        />
      )}
      <ConfirmDialog
        opened={toDelete !== null}
        question={texts.deleteQuestion}
        description={toDelete && texts.deleteSubject(toDelete.address_id)}
        onConfirm={remove}
        onCancel={() => setToDelete(null)}
      />
    </div>
  )
}
