import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { listScanForms } from '#contract/scan-forms.ts'
import type { ScanForm } from '#contract/scan-forms.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { dayText } from '#web/ui/calendar.ts'
import { dateText } from '#web/ui/date-text.ts'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { rowsOfPage, usePaging } from '#web/ui/use-paging.ts'
import { DateTime, TwoLines } from '#web/ui/Value.tsx'
import { FORM_TONE, senderName, senderPlace } from './end-of-day.ts'
import { texts } from './texts.ts'
import styles from './EndOfDay.module.css'

const PAGE_SIZE = 7
/** The newest. */
const MOST_FORMS = 100
/** While the carrier makes a form. */
const REFRESH_MS = 2_000

export function FormList({ userId }: { userId: string }) {
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.scanFormList(userId),
    queryFn: ({ signal }) =>
      send(listScanForms, { params: { userId }, query: { limit: MOST_FORMS } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.scanForms.some(form => form.state === 'asked') ? REFRESH_MS : false,
  })
  const forms = data?.scanForms
  const paging = usePaging({ total: forms?.length, size: PAGE_SIZE })
  // The parcels that become the first form are told above.
  if (forms?.length === 0) return null
  return (
    <ListTable
      title={texts.forms}
      columns={COLUMNS}
      rows={rowsOfPage(forms, paging)}
      rowKey={({ id }) => id}
      rowTone={({ state }) => (state === 'made' ? undefined : FORM_TONE[state])}
      paging={paging}
      loadingText={texts.formsLoading}
      empty={{ title: texts.noForms }}
      errorNotice={
        isError
        && !data && (
          <LoadErrorNotice onRetry={() => void refetch()}>{texts.formsFailed}</LoadErrorNotice>
        )
      }
      card={form => ({
        title: <FormName form={form} />,
        details: [`${senderName(form.sender)} · ${texts.parcels(form.labels)}`, servicesText(form)],
        aside: [<FormStatus key="status" form={form} />],
        actions: <PrintLinks form={form} />,
        actionsAt: 'aside',
      })}
    />
  )
}

function FormName({ form: { id, createdAt, day } }: { form: ScanForm }) {
  return (
    <span className={styles.stack}>
      <span className={styles.strong}>
        <DotLine parts={[texts.form(id), <DateTime key="at" at={createdAt} />]} />
      </span>
      {dayText(day) !== dateText(createdAt) && (
        <span className={styles.hint}>{texts.mailing(dayText(day))}</span>
      )}
    </span>
  )
}

const FormParcels = ({ form }: { form: ScanForm }) => (
  <TwoLines first={texts.parcels(form.labels)} second={servicesText(form)} />
)

const servicesText = ({ services, voided }: ScanForm): string =>
  [
    ...services.map(({ name, labels }) => texts.service(name, labels)),
    ...(voided > 0 ? [texts.voided(voided)] : []),
  ].join(', ')

function FormStatus({ form: { state, message } }: { form: ScanForm }) {
  return (
    <span className={styles.stack}>
      <StatusPill tone={FORM_TONE[state]}>{texts.states[state]}</StatusPill>
      {message && <span className={styles.message}>{message}</span>}
    </span>
  )
}

function PrintLinks({ form: { id, files, state, message } }: { form: ScanForm }) {
  if (files.length === 0)
    return state === 'made' && !message ? <span className={styles.hint}>{texts.noFile}</span> : null
  return (
    <span className={styles.links}>
      {files.map((path, at) => (
        <ButtonLink
          key={path}
          size="small"
          href={path}
          target="_blank"
          icon={<IconPrinter aria-hidden="true" />}
          aria-label={texts.printName(id, at + 1, files.length)}
        >
          {files.length === 1 ? texts.print : texts.printPart(at + 1)}
        </ButtonLink>
      ))}
    </span>
  )
}

const COLUMNS: Column<ScanForm>[] = [
  { head: texts.columns.form, cell: form => <FormName form={form} /> },
  {
    head: texts.columns.sender,
    cell: ({ sender }) => <TwoLines first={senderName(sender)} second={senderPlace(sender)} />,
  },
  { head: texts.columns.parcels, cell: form => <FormParcels form={form} /> },
  { head: texts.columns.status, cell: form => <FormStatus form={form} /> },
  {
    head: texts.columns.print,
    cell: form => <PrintLinks form={form} />,
    align: 'end',
    hideHead: true,
  },
]
