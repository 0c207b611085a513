/** Through which carrier account each service is sold, with one button that saves what has changed. */
import { useRef, useState } from 'react'
import type { ServiceSources } from '#contract/carriers.ts'
import { editsAfterConflict, editsAfterSave } from '#web/client/edits-after-save.ts'
import { ApiError } from '#web/client/send.ts'
import { useSaveEach } from '#web/client/use-save-each.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { useKeptFocus } from '#web/ui/use-return-focus.ts'
import { texts } from './texts.ts'
import styles from './CarrierAccounts.module.css'

const t = texts.sources

type ServiceAccountsProps = {
  services: readonly ServiceSources[]
  accounts: readonly { name: string; label: string }[]
  /** Of one service; `seen`: its accounts when it was edited. Throws ApiError. */
  save: (sources: ServiceSources, seen: ServiceSources) => Promise<void>
  /** Another administrator has changed them since. */
  onConflict: () => void
}

/** `seen`: null once another administrator's change was told. */
type Edit = { sources: ServiceSources; seen: ServiceSources | null }

export function ServiceAccounts({ services, accounts, save, onConflict }: ServiceAccountsProps) {
  const form = useRef<HTMLFormElement>(null)
  useKeptFocus(form)
  const [edited, setEdited] = useState<Record<string, Edit>>({})
  const { problems, busy, saveEach, forgetProblems } = useSaveEach(t, onConflict)
  const shown = services.map(service => {
    const one = edited[service.uid]
    return one && isEdit(one) ? one.sources : service
  })
  const storedOf = (uid: string): ServiceSources => services.find(one => one.uid === uid)!
  const changed = shown.filter((one, at) => isChanged(one, services[at]!))
  const edit = (sources: ServiceSources) =>
    setEdited(old => {
      const before = old[sources.uid]
      return {
        ...old,
        [sources.uid]: {
          seen: before && isEdit(before) ? before.seen : storedOf(sources.uid),
          sources: {
            ...sources,
            second: sources.second === sources.first ? null : sources.second,
          },
        },
      }
    })

  const submit = () =>
    saveEach(
      changed.map(one => [one.uid, one]),
      async one => {
        try {
          await save(one, edited[one.uid]?.seen ?? storedOf(one.uid))
        } catch (error) {
          if (error instanceof ApiError && error.status === 409)
            setEdited(old => editsAfterConflict(old, one.uid))
          throw error
        }
        setEdited(old =>
          editsAfterSave(old, one.uid, one, latest => isChanged(latest.sources, one)),
        )
      },
    )
  const discard = () => {
    setEdited({})
    forgetProblems()
  }
  return (
    <Card>
      <Form ref={form} tabIndex={-1} aria-label={t.title} className={styles.form} onSubmit={submit}>
        <h3 className={styles.name}>{t.title}</h3>
        <p className={styles.about}>{t.about}</p>
        <div className={styles.services}>
          {shown.map(service => (
            <ServiceRow
              key={service.uid}
              service={service}
              accounts={accounts}
              problem={problems[service.uid] ?? null}
              onChange={edit}
            />
          ))}
        </div>
        <div className={styles.foot}>
          {changed.length > 0 && (
            <Button kind="quiet" onClick={discard}>
              {t.discard}
            </Button>
          )}
          <Button
            type="submit"
            kind="ink"
            busy={busy}
            disabledReason={changed.length > 0 ? null : t.noChange}
          >
            {t.save}
          </Button>
        </div>
      </Form>
    </Card>
  )
}

const isChanged = (a: ServiceSources, b: ServiceSources): boolean =>
  a.first !== b.first || a.second !== b.second

/** What was seen, chosen again, is none: it would hide what was saved since. */
const isEdit = ({ sources, seen }: Edit): boolean => seen === null || isChanged(sources, seen)

type ServiceRowProps = {
  service: ServiceSources
  accounts: ServiceAccountsProps['accounts']
  problem: string | null
  onChange: (sources: ServiceSources) => void
}

function ServiceRow({ service, accounts, problem, onChange }: ServiceRowProps) {
  const options = accounts.map(({ name, label }) => ({ value: name, label }))
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset's legend can't stand in a grid
    <div role="group" aria-label={t.of(service.name)} className={styles.service}>
      <p className={styles.serviceName}>{service.name}</p>
      <NativeSelectField
        label={t.first}
        error={null}
        data={options}
        value={service.first}
        onChange={event => onChange({ ...service, first: event.currentTarget.value })}
      />
      <NativeSelectField
        label={t.second}
        error={null}
        data={[
          { value: '', label: t.none },
          ...options.filter(({ value }) => value !== service.first),
        ]}
        value={service.second ?? ''}
        onChange={event => onChange({ ...service, second: event.currentTarget.value || null })}
      />
      {problem && (
        <div className={styles.rowProblem}>
          <ErrorLine>{problem}</ErrorLine>
        </div>
      )}
    </div>
  )
}
