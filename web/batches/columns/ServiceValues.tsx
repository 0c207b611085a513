import { useQuery } from '@tanstack/react-query'
import { servicesQuery } from '#web/client/queries.ts'
import { useUser } from '#web/client/session.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'
import styles from './MatchColumns.module.css'

type ServiceValuesProps = {
  /** The names of services in the file. */
  values: readonly string[]
  /** Our service for each of them; absent for the page's. */
  chosen: Record<string, string> | undefined
  onChange: (chosen: Record<string, string>) => void
}

/** Asks which of our services is meant by each name in a column. */
export function ServiceValues({ values, chosen = {}, onChange }: ServiceValuesProps) {
  const { _id: userId } = useUser()
  const { data: services = [], isLoadingError, refetch } = useQuery(servicesQuery(userId))
  if (isLoadingError && values.length > 0)
    return <LoadErrorNotice onRetry={() => void refetch()}>{texts.servicesFailed}</LoadErrorNotice>
  const options = [
    { value: '', label: texts.serviceOfPage },
    ...services.map(({ name }) => ({ value: name, label: name })),
  ]
  return (
    <div className={styles.services}>
      <p>{values.length === 0 ? texts.tooManyServices : texts.servicesIntro}</p>
      {values.map(value => (
        <NativeSelectField
          key={value}
          label={texts.serviceOf(value)}
          error={null}
          data={options}
          value={chosen[value] ?? ''}
          onChange={event => onChange({ ...chosen, [value]: event.currentTarget.value })}
        />
      ))}
    </div>
  )
}
