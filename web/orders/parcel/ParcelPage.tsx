/** The public page of a parcel, for its receiver: where it is, and who sent it. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { groupTracking } from '#contract/format.ts'
import { parcelPage } from '#contract/parcel-pages.ts'
import type { ParcelPage as Parcel } from '#contract/parcel-pages.ts'
import { PRODUCT } from '#contract/product.ts'
import { isTrackingFinal, trackingText } from '#contract/tracking.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { Fact, FactCard } from '#web/orders/details/Facts.tsx'
import { StepList } from '#web/orders/details/StepList.tsx'
import { trackingTone } from '#web/orders/order-status.ts'
import { CARRIER_TRACKING_URL } from '#web/orders/ParcelLink.tsx'
import { LabelNotice } from '#web/shell/LabelNotice.tsx'
import { useLostLabel } from '#web/shell/LostLabel.tsx'
import { PublicHeader } from '#web/shell/PublicHeader.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyButton } from '#web/ui/CopyText.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { useDocumentTitle } from '#web/ui/page-title.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { StepRail } from '#web/ui/StepRail.tsx'
import { HomeLink } from './HomeLink.tsx'
import { parcelSteps } from './parcel-steps.ts'
import { expectedDayText, mailAddressIn, scanTimeText } from './parcel-text.ts'
import { ParcelFrame } from './ParcelFrame.tsx'
import { texts } from './texts.ts'
import support from '#web/support/Support.module.css'
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
  useDocumentTitle(texts.missing, PRODUCT)
  return (
    <div className={support.frame}>
      <PublicHeader side="none" />
      <main id="content" tabIndex={-1} className={styles.missing}>
        <LabelNotice
          picture={useLostLabel(texts.missingPicture)}
          title={texts.missing}
          text={texts.missingText}
          action={<HomeLink />}
          heading="h1"
        />
      </main>
    </div>
  )
}

const titleOf = ({ status }: Parcel): string =>
  status === 'unknown' || status === 'pre_transit' ? texts.waiting : trackingText(status)

/** While nothing says when the parcel comes but the service. */
const IS_ON_ITS_WAY: readonly Parcel['status'][] = ['unknown', 'pre_transit', 'in_transit']

function ParcelContent({ parcel }: { parcel: Parcel }) {
  const { events, status, isSample, isVoided } = parcel
  const steps = isVoided ? [] : parcelSteps(status, events)
  return (
    <>
      {!isVoided && <p className={styles.meaning}>{texts.meanings[status]}</p>}
      {isVoided && <Notice tone="red">{texts.voided}</Notice>}
      {isSample && <Notice tone="yellow">{texts.sample}</Notice>}
      <div className={styles.columns}>
        <div className={styles.column}>
          {steps.length > 0 && (
            <Card className={styles.progress}>
              <DeliveryTime parcel={parcel} />
              <StepRail name={texts.progress} steps={steps} />
            </Card>
          )}
          {events.length > 0 ? <History events={events} /> : steps.length > 0 && <NextSteps />}
        </div>
        <div className={styles.column}>
          <ParcelFacts parcel={parcel} />
          <Questions contact={parcel.seller.contact} />
        </div>
      </div>
    </>
  )
}

const History = ({ events }: Pick<Parcel, 'events'>) => (
  <Card title={texts.history}>
    <StepList
      items={events.map(({ at, status, text, place }) => ({
        at,
        when: scanTimeText(at),
        tone: trackingTone(status),
        text: text || trackingText(status),
        ...(place !== '' && { by: `· ${place}` }),
      }))}
    />
  </Card>
)

/** Until there is a history. */
const NextSteps = () => (
  <Card title={texts.next}>
    <ol className={styles.next}>
      {texts.nextSteps.map(([name, text]) => (
        <li key={name}>
          <strong>{name}</strong>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  </Card>
)

const ParcelFacts = ({ parcel }: { parcel: Parcel }) => (
  <FactCard title={texts.facts}>
    <Fact name={texts.from}>{parcel.seller.name}</Fact>
    <Fact name={texts.to}>{parcel.destination}</Fact>
    <Fact name={texts.service}>{parcel.service}</Fact>
    <Fact name={texts.number}>
      <span className={styles.number}>{groupTracking(parcel.trackingNumber)}</span>
      <NumberActions parcel={parcel} />
    </Fact>
  </FactCard>
)

const Questions = ({ contact }: { contact: string }) => (
  <Card title={texts.questions}>
    <p className={styles.ask}>{texts.ask}</p>
    {contact !== '' && (
      <p className={styles.contact}>
        <Contact contact={contact} />
      </p>
    )}
  </Card>
)

/** The carrier does not know the number of a sample. */
const NumberActions = ({ parcel: { trackingNumber, isSample } }: { parcel: Parcel }) => (
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
)

/** The day that the carrier expects, or what it publishes for the service. */
function DeliveryTime({ parcel: { status, expectedDay, deliveryDays } }: { parcel: Parcel }) {
  const time =
    expectedDay !== null
      ? { name: texts.expected, value: expectedDayText(expectedDay) }
      : deliveryDays && IS_ON_ITS_WAY.includes(status)
        ? { name: texts.usually, value: texts.businessDays(deliveryDays.from, deliveryDays.to) }
        : null
  return (
    time && (
      <h2 className={styles.expected}>
        {time.name} <strong>{time.value}</strong>
      </h2>
    )
  )
}

function Contact({ contact }: { contact: string }) {
  const email = mailAddressIn(contact)
  return email ? <a href={`mailto:${email}`}>{contact}</a> : contact
}
