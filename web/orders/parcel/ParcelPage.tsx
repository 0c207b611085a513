/** The public page of a parcel, for its receiver: where it is, and who sent it. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { groupTracking } from '#contract/format.ts'
import { parcelPage } from '#contract/parcel-pages.ts'
import type { ParcelPage as Parcel } from '#contract/parcel-pages.ts'
import { isTrackingFinal, trackingText } from '#contract/tracking.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { Fact, FactCard } from '#web/orders/details/Facts.tsx'
import { StepList } from '#web/orders/details/StepList.tsx'
import { trackingTone } from '#web/orders/order-status.ts'
import { CARRIER_TRACKING_URL } from '#web/orders/ParcelLink.tsx'
import { LabelNotice } from '#web/shell/LabelNotice.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { StepRail } from '#web/ui/StepRail.tsx'
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
    return (
      <ParcelFrame title={texts.missing}>
        <LabelNotice
          picture={texts.missingPicture}
          title={texts.missingTitle}
          text={texts.missingText}
          action={<Button onClick={() => void refetch()}>{texts.tryAgain}</Button>}
        />
      </ParcelFrame>
    )
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

const titleOf = ({ status }: Parcel): string =>
  status === 'unknown' || status === 'pre_transit' ? texts.waiting : trackingText(status)

function ParcelContent({ parcel }: { parcel: Parcel }) {
  const { events, seller, trackingNumber, expectedDay, isSample, isVoided } = parcel
  const isWaiting = parcel.status === 'unknown' || parcel.status === 'pre_transit'
  const steps = isVoided ? [] : parcelSteps(parcel.status)
  return (
    <>
      <p className={support.lead}>{texts.from(seller.name)}</p>
      {isSample && <Notice tone="yellow">{texts.sample}</Notice>}
      {isVoided && <Notice tone="red">{texts.voided}</Notice>}
      {steps.length > 0 && (
        <Card className={styles.progress}>
          {expectedDay && (
            <p className={styles.expected}>
              {texts.expected} <strong>{expectedDayText(expectedDay)}</strong>
            </p>
          )}
          {isWaiting && <p className={support.lead}>{texts.waitingText}</p>}
          <StepRail name={texts.progress} steps={steps} />
        </Card>
      )}
      <FactCard title={texts.facts}>
        <Fact name={texts.service}>{parcel.service}</Fact>
        <Fact name={texts.number}>
          <CopyText value={trackingNumber}>{groupTracking(trackingNumber)}</CopyText>
        </Fact>
        <Fact name={texts.questions}>
          <Contact seller={seller} />
        </Fact>
      </FactCard>
      <Card
        title={texts.history}
        action={
          !isSample && (
            <ButtonLink
              size="small"
              href={CARRIER_TRACKING_URL + encodeURIComponent(trackingNumber)}
              rel="noopener noreferrer"
            >
              {texts.track}
            </ButtonLink>
          )
        }
      >
        {events.length > 0 ? (
          <StepList
            items={events.map(({ at, status, text, place }) => ({
              at,
              when: scanTimeText(at),
              tone: trackingTone(status),
              text: text || trackingText(status),
              ...(place !== '' && { by: `· ${place}` }),
            }))}
          />
        ) : (
          <p className={support.lead}>{texts.noHistory}</p>
        )}
      </Card>
    </>
  )
}

function Contact({ seller: { name, contact } }: Pick<Parcel, 'seller'>) {
  if (contact === '') return texts.ask(name)
  const email = mailAddressIn(contact)
  return email ? <a href={`mailto:${email}`}>{contact}</a> : contact
}
