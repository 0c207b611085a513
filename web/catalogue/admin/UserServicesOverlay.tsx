import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { ServiceCard } from './ServiceCard.tsx'
import { ServiceSkeletons } from './ServiceSkeletons.tsx'
import { texts } from './texts.ts'
import { useUserServices } from './use-services.ts'
import styles from './Services.module.css'

type UserServicesOverlayProps = {
  user: { _id: string; name: string; email: string }
  onClose: () => void
}

/**
 * Services and prices of one user in a full-screen overlay. A user without own services gets a copy
 * of the defaults.
 */
export function UserServicesOverlay({ user, onClose }: UserServicesOverlayProps) {
  const { list, failed, retrying, retry, actions } = useUserServices(user._id)
  return (
    <Dialog opened size="full" title={texts.overlay.title(user.name)} onClose={onClose}>
      <p className={styles.email}>{user.email}</p>
      {failed && (
        <Notice
          tone="red"
          action={
            <Button size="small" busy={retrying} onClick={retry}>
              {texts.tryAgain}
            </Button>
          }
        >
          {texts.failed.loadUser}
        </Notice>
      )}
      {!list && !failed && <ServiceSkeletons />}
      {list && (
        <>
          <Notice tone="neutral">{texts.overlay.custom}</Notice>
          <div className={styles.cards}>
            {list.map(service => (
              <ServiceCard key={service._id} service={service} actions={actions} />
            ))}
          </div>
        </>
      )}
    </Dialog>
  )
}
