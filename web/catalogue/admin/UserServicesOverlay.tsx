import { useState } from 'react'
import { PriceTables } from '#web/catalogue/tables/PriceTables.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/Dialog.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { ServiceCard } from './ServiceCard.tsx'
import { ServiceSkeletons } from './ServiceSkeletons.tsx'
import { texts } from './texts.ts'
import { useServiceCosts } from './use-costs.ts'
import { useUserServices } from './use-services.ts'
import styles from './Services.module.css'

type UserServicesOverlayProps = {
  user: { _id: string; name: string; email: string }
  onClose: () => void
}

/**
 * Services and prices of one user in a full-screen overlay. The defaults apply until the first
 * change, which copies them.
 */
export function UserServicesOverlay({ user, onClose }: UserServicesOverlayProps) {
  const { list, isDefault, failed, retrying, retry, actions, reset } = useUserServices(user._id)
  const { state: costs } = useServiceCosts('')
  const [resetting, setResetting] = useState(false)
  // Margins make cards higher: a button would move under the pointer.
  const isLoading = !list || costs === 'loading'
  return (
    <Dialog opened size="full" title={texts.overlay.title(user.name)} onClose={onClose}>
      <p className={styles.email}>{user.email}</p>
      {failed && (
        <LoadErrorNotice retrying={retrying} onRetry={retry}>
          {texts.failed.loadUser}
        </LoadErrorNotice>
      )}
      {isLoading && !failed && <ServiceSkeletons />}
      {!isLoading && (
        <>
          <Notice
            tone="neutral"
            action={
              isDefault ? undefined : (
                <Button size="small" onClick={() => setResetting(true)}>
                  {texts.overlay.reset}
                </Button>
              )
            }
          >
            {isDefault ? texts.overlay.defaults : texts.overlay.custom}
          </Notice>
          <div className={styles.cards}>
            {/* Not by id: the first change gives the user copies, and what is typed in a dialog stays. */}
            {list.map(service => (
              <ServiceCard key={service.uid} service={service} actions={actions} />
            ))}
          </div>
          <PriceTables userId={user._id} />
        </>
      )}
      <ConfirmDialog
        opened={resetting}
        question={texts.overlay.resetQuestion}
        description={texts.overlay.resetText(user.name)}
        confirmLabel={texts.overlay.reset}
        onConfirm={async () => {
          await reset()
          setResetting(false)
        }}
        onCancel={() => setResetting(false)}
      />
    </Dialog>
  )
}
