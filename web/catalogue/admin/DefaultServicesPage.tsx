import { IconRefresh } from '@tabler/icons-react'
import { useRef } from 'react'
import type { RawService } from '#contract/catalogue.ts'
import { CARRIER_ACCOUNTS_ID, CarrierAccounts } from '#web/carriers/CarrierAccounts.tsx'
import { PriceTables } from '#web/catalogue/tables/PriceTables.tsx'
import { IconButton } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ScrollRow } from '#web/ui/ScrollRow.tsx'
import { SectionLinks } from '#web/ui/SectionLinks.tsx'
import { useSections } from '#web/ui/use-sections.ts'
import { LossLimits } from './LossLimits.tsx'
import { OptionPrices } from './OptionPrices.tsx'
import { ServiceCard } from './ServiceCard.tsx'
import { ServiceSkeletons } from './ServiceSkeletons.tsx'
import { SyncResult } from './SyncResult.tsx'
import { texts } from './texts.ts'
import { useServiceCosts } from './use-costs.ts'
import { useDefaultServicesPage } from './use-services.ts'
import styles from './Services.module.css'

const PARTS = [
  { id: 'default-services', text: texts.parts.services },
  { id: 'price-tables', text: texts.parts.tables },
  { id: CARRIER_ACCOUNTS_ID, text: texts.parts.carrier },
  { id: 'loss-limits', text: texts.parts.amounts },
]

/** What the carrier offers, and the default services and prices for customers. */
export function DefaultServicesPage() {
  const { raw, list, failed, retry, actions, sync, syncing, changes, dismiss } =
    useDefaultServicesPage()
  const { state: costs } = useServiceCosts('')
  const parts = useSections(PARTS)
  const syncButton = useRef<HTMLButtonElement>(null)
  const { isHidden } = parts
  if (failed) {
    return (
      <Card>
        <LoadErrorNotice onRetry={retry}>{texts.failed.load}</LoadErrorNotice>
      </Card>
    )
  }
  // Margins make cards higher.
  if (!raw || !list || costs === 'loading') return <ServiceSkeletons />
  return (
    <div className={styles.page}>
      <SectionLinks name={texts.parts.name} parts={parts} />
      <section
        aria-labelledby="default-services"
        className={styles.section}
        hidden={isHidden('default-services')}
      >
        <div className={styles.bar}>
          <h2 id="default-services" className={styles.title}>
            {texts.defaults}
          </h2>
          <IconButton
            ref={syncButton}
            large
            name={texts.sync}
            busy={syncing}
            onClick={() => void sync()}
          >
            <IconRefresh aria-hidden="true" />
          </IconButton>
        </div>
        <p className={styles.about}>{texts.defaultsText}</p>
        {changes && (
          <SyncResult
            changes={changes}
            onDismiss={() => {
              dismiss()
              // The button of the notice goes with it.
              syncButton.current?.focus()
            }}
          />
        )}
        {list.length === 0 && (
          <Card>
            <EmptyState title={texts.none} text={texts.noneText} />
          </Card>
        )}
        <div className={styles.cards}>
          {list.map(service => (
            <ServiceCard key={service._id} service={service} actions={actions} withSales />
          ))}
        </div>
      </section>
      <section
        aria-labelledby="raw-services"
        className={styles.section}
        hidden={isHidden('default-services')}
      >
        <h2 id="raw-services" className={styles.title}>
          {texts.raw}
        </h2>
        <RawServices services={raw} />
      </section>
      <div hidden={isHidden('price-tables')}>
        <PriceTables />
      </div>
      <div hidden={isHidden(CARRIER_ACCOUNTS_ID)}>
        <CarrierAccounts />
      </div>
      {list.length > 0 && (
        <div className={styles.amounts} hidden={isHidden('loss-limits')}>
          <section aria-labelledby="loss-limits" className={styles.section}>
            <h2 id="loss-limits" className={styles.title}>
              {texts.losses.title}
            </h2>
            <LossLimits services={list} />
          </section>
          <section aria-labelledby="option-prices" className={styles.section}>
            <h2 id="option-prices" className={styles.title}>
              {texts.options.title}
            </h2>
            <OptionPrices services={list} />
          </section>
        </div>
      )}
    </div>
  )
}

/** Read-only. */
function RawServices({ services }: { services: readonly RawService[] }) {
  return (
    <ScrollRow name={texts.rawList}>
      {services.map(({ uid, name, category, maxWeight }) => (
        <Card key={uid} className={styles.raw}>
          <h3 className={styles.rawName}>{name}</h3>
          <p className={styles.facts}>
            <span>{category}</span>
            <span>{texts.upTo(maxWeight)}</span>
          </p>
          <code className={styles.uid}>{uid}</code>
        </Card>
      ))}
    </ScrollRow>
  )
}
