/** Above the table: service, sender and upload, and the notices about the file. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { SavedAddress } from '#contract/addresses.ts'
import type { AvailableService } from '#contract/catalogue.ts'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { SelectField } from '#web/ui/Field.tsx'
import { DropZone } from './files/DropZone.tsx'
import type { BulkUpload } from './files/use-bulk-upload.ts'
import { texts } from './texts.ts'
import styles from './Bulk.module.css'

const SERVICE_FIELD_ID = 'bulk-service'

/** Focuses the service and opens its list. */
export function openServices(): void {
  const field = document.getElementById(SERVICE_FIELD_ID)
  field?.focus()
  field?.click()
}

type ServiceFieldProps = {
  services: readonly AvailableService[] | undefined
  service: string
  error: string | null
  /** Rows wait for it. */
  isMissing: boolean
  onChoose: (name: string) => void
}

/** The service of all rows. */
export function ServiceField({ services, service, error, isMissing, onChoose }: ServiceFieldProps) {
  const empty = services?.length === 0
  return (
    <div className={styles.service} data-missing={isMissing || undefined}>
      <SelectField
        id={SERVICE_FIELD_ID}
        label={texts.service}
        error={error ?? (empty ? texts.noServices : null)}
        placeholder={texts.servicePlaceholder}
        data={serviceOptions(services ?? [], service)}
        value={service === '' ? null : service}
        onChange={value => value && onChoose(value)}
      />
    </div>
  )
}

type BulkToolbarProps = {
  /** ServiceField, where it is not above the tools. */
  serviceField: ReactNode
  addresses: readonly SavedAddress[] | undefined
  senderId: string | null
  onSender: (id: string) => void
  upload: BulkUpload
  /** Without rows, the upload is in the table's place. */
  hasRows: boolean
  isDraggedOver: boolean
}

export function BulkToolbar({
  serviceField,
  addresses,
  senderId,
  onSender,
  upload,
  hasRows,
  isDraggedOver,
}: BulkToolbarProps) {
  return (
    <div className={styles.tools} data-compact={hasRows || undefined}>
      {serviceField}
      {addresses && addresses.length > 1 && (
        <div className={styles.service}>
          <SelectField
            label={texts.sender}
            error={null}
            title={texts.senderHint}
            data={addresses.map(address => ({ value: address._id, label: addressName(address) }))}
            value={senderId}
            onChange={value => value && onSender(value)}
          />
        </div>
      )}
      {hasRows && (
        <DropZone
          busy={upload.busy}
          isDraggedOver={isDraggedOver}
          onFiles={files => void upload.importFiles(files)}
        />
      )}
    </div>
  )
}

const addressName = ({ address_id, name, zip }: SavedAddress): string =>
  `${address_id}: ${name}, ${zip}`

/**
 * Services by category. A chosen one that is no longer offered stays in the list, so the select
 * shows it.
 */
function serviceOptions(services: readonly AvailableService[], chosen: string) {
  const groups = Map.groupBy(services, service => service.category)
  const options = (members: readonly AvailableService[]) => [
    ...new Set(members.map(member => member.name)),
  ]
  const gone = chosen !== '' && !services.some(service => service.name === chosen) ? [chosen] : []
  if (groups.size < 2) return [...gone, ...options(services)]
  return [
    ...gone,
    ...Array.from(groups, ([group, members]) => ({ group, items: options(members) })),
  ]
}

/** Why a file was not imported. The table is unchanged. */
export function UploadProblem({ upload }: { upload: BulkUpload }) {
  if (!upload.problem) return null
  const { text, ofFile, needsAddress } = upload.problem
  return (
    <Notice tone="red" action={needsAddress && <Link to="/main/address">{texts.toAddresses}</Link>}>
      {ofFile && <b className={styles.problemTitle}>{texts.parseFailed}</b>}
      {text}
    </Notice>
  )
}
