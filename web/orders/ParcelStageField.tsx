import { PARCEL_STAGE_TEXTS, PARCEL_STAGES } from '#contract/tracking.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'

type ParcelStageFieldProps = {
  /** A parcel stage, or '' for all. */
  value: string
  onPick: (stage: string) => void
  hideLabel?: boolean
  className?: string | undefined
}

/**
 * Filters a list by parcel stage. Hidden if the carrier reports no tracking, unless the filter is
 * set.
 */
export function ParcelStageField({
  value,
  onPick,
  hideLabel = false,
  className,
}: ParcelStageFieldProps) {
  const { data: settings } = usePublicSettings()
  if (!settings?.followsParcels && value === '') return null
  const data = [
    { value: '', label: texts.anyParcel },
    ...PARCEL_STAGES.map(stage => ({ value: stage, label: PARCEL_STAGE_TEXTS[stage] })),
  ]
  return (
    <div className={className}>
      <NativeSelectField
        label={texts.parcel}
        hideLabel={hideLabel}
        error={null}
        data={data}
        value={value}
        onChange={event => onPick(event.currentTarget.value)}
      />
    </div>
  )
}
