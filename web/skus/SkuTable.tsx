/** The SKU records. Rows are edited in place; where they are cards, in the panel. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { skuErrors } from '#contract/sku-rules.ts'
import type { SkuField } from '#contract/sku-rules.ts'
import type { SkuRecord } from '#contract/skus.ts'
import { useFormDraft } from '#web/client/use-form-draft.ts'
import { ParcelPicture } from '#web/shell/EmptyPictures.tsx'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import { Button, IconButton } from '#web/ui/Button.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { rowsOfPage } from '#web/ui/use-paging.ts'
import type { Paging } from '#web/ui/use-paging.ts'
import { useRowEdit } from '#web/ui/use-row-edit.ts'
import { useSavingReason } from '#web/ui/use-saving-reason.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { isSameDraft, newSku, skuLines, toSkuDraft } from './draft.ts'
import type { SkuDraft } from './draft.ts'
import { SkuNumberField, SkuTextField } from './fields.tsx'
import { texts } from './texts.ts'
import type { Skus } from './use-skus.ts'
import styles from './Skus.module.css'

type SkuTableProps = {
  skus: Skus
  /** Those that the search has found, of all pages; undefined while loading. */
  found: SkuRecord[] | undefined
  search: string
  onSearch: (words: string) => void
  paging: Paging
  onAdd: () => void
  onSave: (id: string, draft: SkuDraft) => Promise<void>
  onDelete: (record: SkuRecord) => void
  /** Where the list shows cards, which have no room for fields. */
  onEditInPanel: (record: SkuRecord) => void
}

const NUMBER_FIELDS: readonly Exclude<SkuField, 'sku' | 'description'>[] = [
  'maxQty',
  'weight',
  'length',
  'width',
  'height',
]

/** Room for the head, such as Max Quantity. */
const NUMBER_WIDTH = '6.75rem'
/** Room for a description beside the figures. */
const CARDS_BELOW_PX = 1000

export function SkuTable({
  skus,
  found,
  search,
  onSearch,
  paging,
  onAdd,
  onSave,
  onDelete,
  onEditInPanel,
}: SkuTableProps) {
  const { form, bind, busy, formError, submit, reset, isShown } = useFormDraft({
    initialValues: newSku,
    check: skuErrors,
    fallbackMessage: texts.failed.submit,
  })
  const { editing, ids, isTableRow, begin, stop, focusFirstInvalid, cancelOnEscape } = useRowEdit(
    'sku',
    () => reset(newSku()),
  )
  const wait = useSavingReason(busy, texts.wait)

  const edited = skus.list?.find(({ _id }) => _id === editing)
  const changed = edited !== undefined && !isSameDraft(form, toSkuDraft(edited))
  const guard = useUnsavedChangesGuard(changed, stop)

  const edit = (record: SkuRecord) => {
    if (!isTableRow(record._id)) return onEditInPanel(record)
    guard.leaveOrAsk(() => {
      reset(toSkuDraft(record))
      begin(record._id)
    })
  }
  const save = async (id: string) => {
    if (
      !(await submit(
        draft => onSave(id, draft),
        reason => toastError(reason ?? texts.failed.update),
      ))
    )
      return focusFirstInvalid()
    toastSuccess(texts.done.update)
    if (isShown(form)) stop()
  }

  const field = { bind, form: ids.form, hideLabel: true }
  const cell = (view: (record: SkuRecord) => ReactNode, fields: ReactNode) => (record: SkuRecord) =>
    record._id === editing ? <div className={styles.cell}>{fields}</div> : view(record)
  const compactActions = (record: SkuRecord) => (
    <span className={styles.compact}>
      <ActionMenu
        name={texts.more(record.sku)}
        actions={[
          { text: texts.edit, icon: IconPencil, onClick: () => edit(record) },
          {
            text: texts.remove,
            icon: IconTrash,
            danger: true,
            dividerBefore: true,
            onClick: () => onDelete(record),
          },
        ]}
      />
    </span>
  )
  const actions = (record: SkuRecord) => (
    <span className={styles.actions}>
      <Button
        size="small"
        id={ids.button(record._id)}
        aria-description={record.sku}
        onClick={() => edit(record)}
      >
        {texts.edit}
      </Button>
      <IconButton
        name={texts.remove}
        aria-description={record.sku}
        onClick={() => onDelete(record)}
      >
        <IconTrash aria-hidden="true" />
      </IconButton>
    </span>
  )
  const columns: Column<SkuRecord>[] = [
    {
      head: texts.fields.sku,
      width: '14%',
      cell: cell(
        ({ sku }) => <span className={styles.sku}>{sku}</span>,
        <SkuTextField {...field} name="sku" id={ids.first} />,
      ),
    },
    ...NUMBER_FIELDS.map((name): Column<SkuRecord> => ({
      head: texts.fields[name],
      align: 'end',
      width: NUMBER_WIDTH,
      cell: cell(
        record => record[name],
        <SkuNumberField {...field} name={name} className={styles.figure} />,
      ),
    })),
    {
      head: texts.fields.description,
      cell: cell(
        ({ description }) =>
          description ? (
            <span className={styles.description}>{description}</span>
          ) : (
            <span className={styles.none}>{texts.noDescription}</span>
          ),
        <SkuTextField {...field} name="description" />,
      ),
    },
    {
      head: texts.actions,
      hideHead: true,
      align: 'end',
      width: '12.5rem',
      cell: record =>
        record._id === editing ? (
          <Form id={ids.form} className={styles.actions} onSubmit={() => save(record._id)}>
            <Button kind="ink" type="submit" busy={busy}>
              {texts.save}
            </Button>
            <Button onClick={stop} disabledReason={wait}>
              {texts.cancel}
            </Button>
          </Form>
        ) : (
          actions(record)
        ),
    },
  ]

  // One black button at a time: while a row is edited or the list is missing, it is another.
  const addButton = (
    <Button kind={editing === null && !skus.failed ? 'ink' : 'outline'} onClick={onAdd}>
      {texts.add}
    </Button>
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens for Escape of the fields inside
    <div onKeyDown={event => wait === null && cancelOnEscape(event)} className={styles.page}>
      {formError && <Notice tone="red">{formError}</Notice>}
      <ListTable
        title={texts.title}
        // An empty list has it below its sentence.
        action={skus.list?.length !== 0 && addButton}
        columns={columns}
        cardsBelow={editing === null ? CARDS_BELOW_PX : 0}
        rows={rowsOfPage(found, paging)}
        note={skus.list && skus.list.length > 0 && texts.count(skus.list.length)}
        search={
          // Its place is reserved while the list loads.
          skus.list?.length !== 0
          && !skus.failed && (
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
        lines={1}
        errorNotice={
          skus.failed && (
            <LoadErrorNotice text={texts.notShownText} onRetry={skus.retry}>
              {texts.notShown}
            </LoadErrorNotice>
          )
        }
        empty={
          search === ''
            ? {
                title: texts.none,
                text: texts.noneText,
                picture: <ParcelPicture />,
                action: addButton,
              }
            : { title: texts.noneFound, text: texts.noneFoundText(search) }
        }
        loadingCard={() => ({ details: 3, aside: 0, actions: true, actionsAt: 'end' })}
        card={(record, wide) => ({
          title: <span className={styles.sku}>{record.sku}</span>,
          details: skuLines(record),
          actions: wide ? actions(record) : compactActions(record),
          actionsAt: 'end',
        })}
      />
      <ConfirmDiscard guard={guard} subject={edited?.sku ?? ''} />
    </div>
  )
}
