/** SCAN forms: the parcels of a day by sender, and the forms that were made. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { createScanForms } from '#contract/scan-forms.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { BackLink } from '#web/ui/BackLink.tsx'
import { toastError, toastSuccess, notifyPage } from '#web/ui/toasts.ts'
import { outcomeOf } from './end-of-day.ts'
import { FormList } from './FormList.tsx'
import { texts } from './texts.ts'
import { WaitingParcels } from './WaitingParcels.tsx'
import styles from './EndOfDay.module.css'

const BATCHES = '/main/batch-orders'

/** Below the address of the list that led here, to which it leads back. */
export function EndOfDayPage() {
  const ofBatches = useLocation().pathname.startsWith(BATCHES)
  const { _id: userId } = useUser()
  const queryClient = useQueryClient()
  /** Key of the group whose form is being made. */
  const [making, setMaking] = useState<string | null>(null)
  const make = async (key: string, ids: string[]): Promise<boolean> => {
    setMaking(key)
    try {
      const { scanForms } = await send(createScanForms, {
        params: { userId },
        body: { orderIds: ids },
      })
      tellOutcome(scanForms)
      return true
    } catch (reason) {
      toastError(messageOf(reason, texts.notMade))
      return false
    } finally {
      // Orders shown from the cache would not warn that a void leaves its label on the form.
      queryClient.removeQueries({ queryKey: queryKeys.orders(userId) })
      await queryClient.invalidateQueries({ queryKey: queryKeys.scanForms(userId) })
      setMaking(null)
    }
  }
  return (
    <div className={styles.page}>
      <BackLink to={ofBatches ? BATCHES : '/main/orders'}>
        {ofBatches ? texts.back.batches : texts.back.orders}
      </BackLink>
      <WaitingParcels userId={userId} making={making} onMake={make} />
      <FormList userId={userId} />
    </div>
  )
}

function tellOutcome(forms: Parameters<typeof outcomeOf>[0]): void {
  switch (outcomeOf(forms)) {
    case 'made':
      return toastSuccess(texts.made(forms.length))
    case 'asked':
      return notifyPage('blue', texts.asked)
    case 'failed':
      return toastError(texts.notMade)
    case 'unknown':
      return notifyPage('yellow', texts.unclear)
  }
}
