/** Signature and Saturday delivery of the chosen rows. */
import { useState } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import { cellsOfOptions, NO_OPTIONS, optionsOfCells } from '#contract/label-options.ts'
import type { LabelOptions, OptionKind, Signature } from '#contract/label-options.ts'
import { usdFromDollars } from '#contract/money.ts'
import { findServiceByName } from '#web/batches/bulk/checks/validation.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { CheckField, NativeSelectField } from '#web/ui/Field.tsx'
import { FormDialog } from './FormDialog.tsx'
import { gridTexts } from './texts.ts'
import type { GridModel } from './use-grid.ts'

const t = gridTexts.options

type OptionsDialogProps = {
  grid: GridModel
  /** Indexes of the rows. */
  chosen: readonly number[]
  services: readonly AvailableService[]
  close: () => void
}

export function OptionsDialog({ grid, chosen, services, close }: OptionsDialogProps) {
  const [rows] = useState(() => grid.edits.rowsAt(chosen))
  const [options, setOptions] = useState(() => sharedOptions(rows))
  const names = new Set(rows.map(({ ServiceName }) => ServiceName))
  const service = names.size === 1 ? findServiceByName(services, [...names][0]!) : undefined
  return (
    <FormDialog
      title={t.title(rows.length)}
      action={t.set(rows.length)}
      close={close}
      onSubmit={() => {
        grid.edits.setOptions(chosen, cellsOfOptions(options))
        close()
      }}
    >
      <NativeSelectField
        label={t.signature}
        description={
          options.signature === 'none' ? undefined : offerText(service, options.signature)
        }
        error={null}
        data-autofocus
        data={[
          { value: 'none', label: t.noSignature },
          { value: 'signature', label: t.plain },
          { value: 'adult', label: t.adult },
        ]}
        value={options.signature}
        onChange={event =>
          setOptions({ ...options, signature: event.currentTarget.value as Signature })
        }
      />
      <CheckField
        label={t.saturday}
        description={options.saturday ? offerText(service, 'saturday') : undefined}
        checked={options.saturday}
        onChange={event => setOptions({ ...options, saturday: event.currentTarget.checked })}
      />
    </FormDialog>
  )
}

/** What all rows have; nothing where they differ. */
function sharedOptions(rows: readonly GridRow[]): LabelOptions {
  const [first = NO_OPTIONS, ...others] = rows.map(optionsOfCells)
  const isShared = others.every(
    ({ signature, saturday }) => signature === first.signature && saturday === first.saturday,
  )
  return isShared ? first : NO_OPTIONS
}

/** What it costs with the service of all rows, or why it is not sold; nothing for several services. */
function offerText(service: AvailableService | undefined, kind: OptionKind): string | undefined {
  const offer = service?.options?.[kind]
  if (!offer) return undefined
  return offer.price === null ? (offer.reason ?? undefined) : t.price(usdFromDollars(offer.price))
}
