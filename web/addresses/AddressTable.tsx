/** The saved addresses, at least one. Rows are edited in place; where they are cards, in the panel. */
import type { ReactNode } from 'react'
import type { SavedAddress } from '#contract/addresses.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import type { Paging } from '#web/ui/use-paging.ts'
import { rowsOfPage } from '#web/ui/use-paging.ts'
import { useRowEdit } from '#web/ui/use-row-edit.ts'
import { useSavingReason } from '#web/ui/use-saving-reason.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { TwoLines } from '#web/ui/Value.tsx'
import { AddressActions, AddressName } from './AddressActions.tsx'
import { usePasteIntoDraft } from './AddressFields.tsx'
import { addressLines, cityLineOf, isSameForm, newAddress, toAddressForm } from './draft.ts'
import { AddressStateField, AddressTextField } from './fields.tsx'
import { texts } from './texts.ts'
import { useAddressDraft } from './use-address-draft.ts'
import type { Addresses } from './use-addresses.ts'
import styles from './Addresses.module.css'

type AddressTableProps = {
  addresses: Addresses
  /** Those that the search has found, of all pages; undefined while loading. */
  found: SavedAddress[] | undefined
  search: string
  onSearch: (words: string) => void
  paging: Paging
  onAdd: () => void
  onDelete: (address: SavedAddress) => void
  /** Where the list shows cards, which have no room for fields. */
  onEditInPanel: (address: SavedAddress) => void
}

export const ADD_BUTTON_ID = 'add-address'

/** Room for the acts of a row beside its address. */
const CARDS_BELOW_PX = 900

export function AddressTable({
  addresses,
  found,
  search,
  onSearch,
  paging,
  onAdd,
  onDelete,
  onEditInPanel,
}: AddressTableProps) {
  const draft = useAddressDraft(newAddress)
  const { form, bind, busy, formError, submit, reset, isShown } = draft
  const { editing, ids, isTableRow, begin, stop, focusFirstInvalid, cancelOnEscape } = useRowEdit(
    'address',
    () => reset(newAddress()),
  )
  const wait = useSavingReason(busy, texts.wait)
  const paste = usePasteIntoDraft(draft)
  const shown = rowsOfPage(found, paging)
  const sender = addresses.list?.find(({ isDefault }) => isDefault)
  const edited = addresses.list?.find(({ _id }) => _id === editing)
  const changed = edited !== undefined && !isSameForm(form, toAddressForm(edited))
  const guard = useUnsavedChangesGuard(changed, stop)

  const edit = (address: SavedAddress) => {
    if (!isTableRow(address._id)) return onEditInPanel(address)
    guard.leaveOrAsk(() => {
      paste.forget()
      reset(toAddressForm(address))
      begin(address._id)
    })
  }
  const save = async (id: string) => {
    if (
      !(await submit(
        form => addresses.update(id, form),
        reason => toastError(reason ?? texts.failed.update),
      ))
    )
      return focusFirstInvalid()
    toastSuccess(texts.done.update)
    if (isShown(form)) stop()
  }

  const actionsOf = (address: SavedAddress, compact = false) => (
    <AddressActions
      address={address}
      compact={compact}
      addresses={addresses}
      editId={ids.button(address._id)}
      onEdit={edit}
      onDelete={onDelete}
    />
  )

  const field = { bind, form: ids.form }
  const cell =
    (view: (address: SavedAddress) => ReactNode, fields: ReactNode) => (address: SavedAddress) =>
      address._id === editing ? <div className={styles.cell}>{fields}</div> : view(address)
  const columns: Column<SavedAddress>[] = [
    {
      head: texts.columns.id,
      width: '16%',
      cell: cell(
        address => <AddressName address={address} />,
        // Phone is here so that every column has two fields.
        <>
          <AddressTextField {...field} name="address_id" id={ids.first} />
          <AddressTextField {...field} name="phone" />
        </>,
      ),
    },
    {
      head: texts.columns.who,
      width: '20%',
      cell: cell(
        ({ name, company, phone }) => (
          <span className={styles.who}>
            <TwoLines first={name} second={<DotLine parts={[company, phone]} />} />
          </span>
        ),
        <>
          <AddressTextField {...field} name="name" />
          <AddressTextField {...field} name="company" />
        </>,
      ),
    },
    {
      head: texts.columns.street,
      clip: editing === null,
      cell: cell(
        ({ street, street2 }) => <TwoLines first={street} second={street2} />,
        <>
          <AddressTextField {...field} name="street" />
          <AddressTextField {...field} name="street2" />
        </>,
      ),
    },
    {
      head: texts.columns.place,
      width: '21%',
      cell: cell(
        address => cityLineOf(address),
        <>
          <AddressTextField {...field} name="city" />
          <span className={styles.pair}>
            <AddressStateField {...field} name="state" />
            <AddressTextField {...field} name="zip" />
          </span>
        </>,
      ),
    },
    {
      head: texts.actions,
      hideHead: true,
      align: 'end',
      width: '16rem',
      cell: address =>
        address._id === editing ? (
          <div className={styles.editActions}>
            <Form id={ids.form} className={styles.actions} onSubmit={() => save(address._id)}>
              <Button kind="ink" type="submit" busy={busy}>
                {texts.save}
              </Button>
              <Button onClick={stop} disabledReason={wait}>
                {texts.cancel}
              </Button>
            </Form>
            {paste.button}
            {paste.box}
          </div>
        ) : (
          actionsOf(address)
        ),
    },
  ]

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for Escape and paste of the fields inside
    <div
      onKeyDown={event => wait === null && cancelOnEscape(event)}
      onPaste={editing === null ? undefined : paste.onPaste}
      className={styles.page}
    >
      {formError && <Notice tone="red">{formError}</Notice>}
      <ListTable
        title={texts.title}
        action={
          // One black button at a time: while a row is edited or the list is missing, it is another.
          <Button
            kind={editing === null && !addresses.failed ? 'ink' : 'outline'}
            id={ADD_BUTTON_ID}
            onClick={onAdd}
          >
            {texts.add}
          </Button>
        }
        columns={columns}
        cardsBelow={editing === null ? CARDS_BELOW_PX : 0}
        rows={shown}
        note={
          addresses.list && (
            <DotLine
              parts={[
                texts.count(addresses.list.length),
                // Not in sight: on another page, or not found by the search.
                sender && !shown?.includes(sender) && texts.defaultIs(sender.address_id),
              ]}
            />
          )
        }
        search={
          !addresses.failed && (
            <SearchField
              label={texts.search}
              hint={texts.searchHint}
              search={search}
              onSearch={onSearch}
              foundText={search === '' ? '' : texts.count(found?.length ?? 0)}
            />
          )
        }
        rowKey={({ _id }) => _id}
        paging={paging}
        errorNotice={
          addresses.failed && (
            <LoadErrorNotice text={texts.notShownText} onRetry={addresses.retry}>
              {texts.notShown}
            </LoadErrorNotice>
          )
        }
        empty={{ title: texts.noneFound, text: texts.noneFoundText(search) }}
        loadingCard={() => ({ details: 3, aside: 0, actions: true, actionsAt: 'end' })}
        card={(address, wide) => ({
          title: <AddressName address={address} />,
          actions: actionsOf(address, !wide),
          actionsAt: 'end',
          details: addressLines(address),
        })}
      />
      {addresses.list && !sender && <p className={styles.noDefault}>{texts.noDefault}</p>}
      <ConfirmDiscard guard={guard} subject={edited?.address_id ?? ''} />
    </div>
  )
}
