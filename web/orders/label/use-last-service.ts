import { useEffect, useRef } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import { useUser } from '#web/client/session.ts'
import type { LabelForm } from './form.ts'
import { getLastService } from './last-service.ts'

/**
 * Chooses the service of the last label of this browser once the services are known, where none is
 * chosen yet. `change` is null while an earlier label fills in the form.
 */
export function useLastService(
  services: readonly AvailableService[] | undefined,
  form: LabelForm,
  change: ((fields: Partial<LabelForm>) => void) | null,
): void {
  const user = useUser()
  const isTried = useRef(false)
  useEffect(() => {
    if (!services || !change || isTried.current) return
    isTried.current = true
    const last = getLastService(user._id)
    if (form.ServiceName === '' && services.some(({ uid }) => uid === last))
      change({ ServiceName: last! })
  })
}
