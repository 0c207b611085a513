import { useQuery } from '@tanstack/react-query'
import { house } from '#contract/system.ts'
import { PLACE_WORDS, PLACES } from '#contract/tracking.ts'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { PickField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'

type ParcelFieldProps = {
  /** One of the places, or '' for all. */
  value: string
  onPick: (place: string) => void
  hideLabel?: boolean
  className?: string | undefined
}

/** Narrows a list by where parcels are. Not there with a carrier that does not say it, unless the list is narrowed so already. */
export function ParcelField({ value, onPick, hideLabel = false, className }: ParcelFieldProps) {
  const { data: about } = useQuery({
    queryKey: keys.house(),
    queryFn: () => send(house, {}),
    staleTime: Infinity,
  })
  if (!about?.followsParcels && value === '') return null
  const data = [
    { value: '', label: texts.anyParcel },
    ...PLACES.map(place => ({ value: place, label: PLACE_WORDS[place] })),
  ]
  return (
    <div className={className}>
      <PickField
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
