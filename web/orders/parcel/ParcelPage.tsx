/** The public page of a parcel, for its receiver: where it is, and who sent it. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { groupTracking } from '#contract/format.ts'
import { parcelPage } from '#contract/parcel-pages.ts'
import type { ParcelPage as Parcel } from '#contract/parcel-pages.ts'
import { isTrackingFinal, trackingText } from '#contract/tracking.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { Fact, FactCard } from '#web/orders/details/Facts.tsx'
import { CARRIER_TRACKING_URL } from '#web/orders/ParcelLink.tsx'
import { contactPath } from '#web/shell/contact-path.ts'
import { PaperSlip } from '#web/shell/PaperSlip.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyButton } from '#web/ui/CopyText.tsx'
import { dateTimeText } from '#web/ui/date-text.ts'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { parcelSteps } from './parcel-steps.ts'
import { contactLink, expectedDayText } from './parcel-text.ts'
import { ParcelFrame } from './ParcelFrame.tsx'
import { ParcelHistory } from './ParcelHistory.tsx'
import { ParcelLookup, useSampleNumbers } from './ParcelLookup.tsx'
import { RouteStrip } from './RouteStrip.tsx'
import { texts } from './texts.ts'
import styles from './Parcel.module.css'

const REFRESH_MS = 60_000

export function ParcelPage() {
  const { token = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.parcelPage(token),
    queryFn: ({ signal }) => send(parcelPage, { params: { link: token } }, { signal }),
    retry: false,
    refetchInterval: ({ state }) => state.data && !isTrackingFinal(state.data.status) && REFRESH_MS,
  })
  if (data)
    return (
      <ParcelFrame title={titleOf(data)}>
        <ParcelContent parcel={data} />
      </ParcelFrame>
    )
  // An unknown token, or text that is none.
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return <MissingParcel />
  return (
    <ParcelFrame title="">
      {error ? (
        <LoadErrorNotice onRetry={() => void refetch()}>
          {messageOf(error, texts.failed)}
        </LoadErrorNotice>
      ) : (
        <PageLoader text={texts.loading} />
      )}
    </ParcelFrame>
  )
}

function MissingParcel() {
  const hasSamples = useSampleNumbers()
  return (
    <ParcelFrame title={texts.missing} picture={<PaperSlip {...texts.missingPicture} />}>
      <p className={styles.meaning}>{hasSamples ? texts.missingSample : texts.missingText}</p>
      <div className={styles.missing}>
        <Card>
          <ParcelLookup />
        </Card>
        <p className={styles.shop}>{hasSamples ? texts.onlyNumber : texts.noNumber}</p>
      </div>
    </ParcelFrame>
  )
}

const titleOf = ({ status }: Parcel): string =>
  status === 'unknown' || status === 'pre_transit' ? texts.waiting : trackingText(status)

/** While nothing says when the parcel comes but the service. */
const IS_ON_ITS_WAY: readonly Parcel['status'][] = ['unknown', 'pre_transit', 'in_transit']

function ParcelContent({ parcel }: { parcel: Parcel }) {
  const { status, isSample, isVoided, seller } = parcel
  const meaning = texts.meanings[status]
  return (
    <>
      <p className={styles.seller}>{texts.fromSeller(seller.name)}</p>
      {!isVoided && meaning && <p className={styles.meaning}>{meaning}</p>}
      {isVoided && <Notice tone="red">{texts.voided}</Notice>}
      {isSample && <Notice tone="yellow">{texts.sample}</Notice>}
      <div className={styles.columns}>
        <Card className={styles.way}>
          <DeliveryTime parcel={parcel} />
          <RouteStrip parcel={parcel} />
        </Card>
        <Card title={texts.progress} className={styles.progress}>
          <ParcelHistory steps={parcelSteps(parcel)} />
        </Card>
        <ParcelFacts parcel={parcel} />
        <Questions parcel={parcel} />
      </div>
    </>
  )
}

const ParcelFacts = ({ parcel }: { parcel: Parcel }) => (
  <FactCard title={texts.facts} className={styles.facts}>
    <Fact name={texts.service}>{parcel.service}</Fact>
    <Fact name={texts.number}>
      <span className={styles.number}>{groupTracking(parcel.trackingNumber)}</span>
      <NumberActions parcel={parcel} />
    </Fact>
  </FactCard>
)

/** The sender knows the order; the operator of the site knows its pages. */
function Questions({ parcel: { seller, trackingNumber } }: { parcel: Parcel }) {
  const canWrite = Boolean(usePublicSettings().data?.support.email)
  const link = contactLink(seller.contact)
  return (
    <Card title={texts.questions}>
      <p className={styles.ask}>
        {texts.ask} {seller.contact === '' && texts.noContact}
      </p>
      {seller.contact !== '' && (
        <p className={styles.contact}>
          {link ? <a href={link}>{seller.contact}</a> : seller.contact}
        </p>
      )}
      {canWrite && (
        <p className={styles.trouble}>
          {texts.trouble}{' '}
          <Link to={contactPath({ topic: 'label', subject: texts.supportSubject(trackingNumber) })}>
            {texts.support}
          </Link>
        </p>
      )}
    </Card>
  )
}

const NumberActions = ({ parcel: { trackingNumber, isSample } }: { parcel: Parcel }) => (
  <>
    <span className={styles.actions}>
      <CopyButton size="small" value={trackingNumber} name={texts.copyNumber}>
        {texts.copyNumber}
      </CopyButton>
      {!isSample && (
        <ButtonLink
          size="small"
          href={CARRIER_TRACKING_URL + encodeURIComponent(trackingNumber)}
          rel="noopener noreferrer"
        >
          {texts.track}
        </ButtonLink>
      )}
    </span>
    {isSample && <span className={styles.sampleNumber}>{texts.sampleNumber}</span>}
  </>
)

/** When the parcel came, the day that the carrier expects, or what it publishes for the service. Nothing where none is known. */
function DeliveryTime({ parcel }: { parcel: Parcel }) {
  const time = deliveryTime(parcel)
  return (
    time && (
      <h2 className={styles.expected}>
        {time.name} <strong>{time.value}</strong>
      </h2>
    )
  )
}

function deliveryTime({ status, isVoided, expectedDay, deliveryDays, events }: Parcel) {
  if (isVoided) return null
  const delivered = status === 'delivered' && events.find(scan => scan.status === 'delivered')
  if (delivered) return { name: texts.deliveredAt, value: dateTimeText(delivered.at) }
  if (expectedDay !== null) return { name: texts.expected, value: expectedDayText(expectedDay) }
  return deliveryDays && IS_ON_ITS_WAY.includes(status)
    ? { name: texts.usually, value: texts.businessDays(deliveryDays.from, deliveryDays.to) }
    : null
}
