/** How the prices of a user came about: the newest versions of each service. */
import { useQuery } from '@tanstack/react-query'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { PriceVersionFacts } from '#web/catalogue/admin/PriceHistory.tsx'
import { texts as serviceTexts } from '#web/catalogue/admin/texts.ts'
import type { ServiceActions } from '#web/catalogue/admin/use-services.ts'
import { Card } from '#web/ui/Card.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

const t = serviceTexts.history
/** All of them are in the dialog that changes the prices. */
const MAX_VERSIONS = 5

type LookPriceHistoryProps = {
  services: readonly ConfiguredService[]
  versions: ServiceActions['versions']
}

export const LookPriceHistory = ({ services, versions }: LookPriceHistoryProps) => (
  <Card title={t.title} folds>
    <div className={styles.histories}>
      {services.map(service => (
        <ServiceHistory key={service._id} service={service} source={versions(service)} />
      ))}
    </div>
  </Card>
)

function ServiceHistory({
  service,
  source,
}: {
  service: ConfiguredService
  source: ReturnType<ServiceActions['versions']>
}) {
  const { data, isError, refetch } = useQuery(source)
  const older = (data?.length ?? 0) - MAX_VERSIONS
  return (
    <section className={styles.history} aria-busy={(!data && !isError) || undefined}>
      <h3>{service.name}</h3>
      {data ? (
        <ol>
          {data.slice(0, MAX_VERSIONS).map((version, index) => (
            <li key={version.version}>
              <PriceVersionFacts version={version} current={index === 0} />
            </li>
          ))}
          {older > 0 && <li className={styles.range}>{texts.services.older(older)}</li>}
        </ol>
      ) : isError ? (
        <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
      ) : (
        <Skeleton width="70%" />
      )}
    </section>
  )
}
