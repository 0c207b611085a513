import { IconRefresh } from '@tabler/icons-react'
import { Button, IconButton } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { EmptyState } from '#web/ui/ListTable.tsx'
import { RawServices } from './RawServices.tsx'
import { ServiceCard } from './ServiceCard.tsx'
import { ServiceSkeletons } from './ServiceSkeletons.tsx'
import { SyncResult } from './SyncResult.tsx'
import { texts } from './texts.ts'
import { useDefaultServices } from './use-services.ts'
import styles from './Services.module.css'

/** Specification, 2 (/admin/default-services): what the carrier offers, and what is made of it for everybody without prices of his own. */
export function DefaultServicesPage() {
  const { raw, list, failed, retry, actions, sync, syncing, changes, dismiss } =
    useDefaultServices()
  if (failed) {
    return (
      <Card className={styles.failed}>
        <ErrorLine>{texts.failed.load}</ErrorLine>
        <Button kind="ink" onClick={retry}>
          {texts.tryAgain}
        </Button>
      </Card>
    )
  }
  if (!raw || !list) return <ServiceSkeletons />
  return (
    <div className={styles.page}>
      <section aria-labelledby="raw-services" className={styles.section}>
        <h2 id="raw-services" className={styles.title}>
          {texts.raw}
        </h2>
        <RawServices services={raw} />
      </section>
      <section aria-labelledby="default-services" className={styles.section}>
        <div className={styles.bar}>
          <h2 id="default-services" className={styles.title}>
            {texts.defaults}
          </h2>
          <IconButton large name={texts.sync} busy={syncing} onClick={() => void sync()}>
            <IconRefresh aria-hidden="true" />
          </IconButton>
        </div>
        {changes && <SyncResult changes={changes} onDismiss={dismiss} />}
        {list.length === 0 && (
          <Card>
            <EmptyState title={texts.none} text={texts.noneText} />
          </Card>
        )}
        <div className={styles.cards}>
          {list.map(service => (
            <ServiceCard key={service._id} service={service} actions={actions} />
          ))}
        </div>
      </section>
    </div>
  )
}
