/**
 * Price, remaining balance and the order button, with a live preview of the label. On small screens
 * a bar at the bottom.
 */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AvailableService } from '#contract/catalogue.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { RowField } from '#contract/rows.ts'
import { tidyText } from '#contract/text.ts'
import { Picture } from '#web/orders/details/LabelPicture.tsx'
import { SpecimenLabel } from '#web/shell/SpecimenLabel.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { focusFirstError } from '#web/ui/Form.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import type { LabelForm } from './form.ts'
import { ServiceArrival } from './ServiceArrival.tsx'
import { focusServices } from './ServicePriceList.tsx'
import { texts } from './texts.ts'
import type { BoughtLabel, OrderNotice } from './use-label-order.ts'
import { isReadyToCompare } from './use-label-price.ts'
import type { LabelPrice } from './use-label-price.ts'
import styles from './Label.module.css'

type OrderSummaryProps = {
  form: LabelForm
  service: AvailableService | undefined
  price: LabelPrice
  /** Of this parcel with the cheapest service, and its name; null while unknown. */
  lowest: { price: number; service: string } | null
  balance: number
  notice: OrderNotice | null
  busy: boolean
  /** Of the last submit. */
  errorCount: number
  /** The label that was just bought, until a field changes. */
  lastLabel: BoughtLabel | null
  onNextLabel: () => void
}

export function OrderSummary({
  form,
  service,
  price,
  lowest,
  balance,
  notice,
  busy,
  errorCount,
  lastLabel,
  onNextLabel,
}: OrderSummaryProps) {
  /** The label whose picture does not load. */
  const [broken, setBroken] = useState('')
  const disabledReason =
    price.state === 'failed' ? texts.noPrice : price.state === 'asking' ? texts.pricing : null
  const isShort = price.state === 'known' && balance < price.dollars
  const isTooLittle = price.state === 'none' && lowest !== null && balance < lowest.price
  return (
    <div className={styles.summary}>
      <section className={styles.pay} data-surface="hero" aria-label={texts.summary}>
        <div className={styles.priceBox}>
          <h2 className={styles.priceName}>{texts.price}</h2>
          <p
            className={styles.price}
            role="status"
            data-stale={price.state === 'asking' || undefined}
          >
            {shownPrice(price, lowest?.price ?? null)}
          </p>
          {price.state === 'none' && lowest !== null && (
            <p className={styles.about} data-wide>
              {texts.withService(lowest.service)}
            </p>
          )}
          <p
            className={styles.about}
            data-wide={isTooLittle || undefined}
            data-short={isShort || undefined}
          >
            <PriceNote form={form} price={price} balance={balance} />
          </p>
          {price.state === 'known' && service?.deliveryDays && isReadyToCompare(form) && (
            <p className={styles.about} data-wide>
              {texts.usuallyArrives} <ServiceArrival days={service.deliveryDays} />{' '}
              {texts.ifShippedToday}
            </p>
          )}
          {isTooLittle && (
            <p className={styles.about} data-short>
              {texts.tooLittle(usdFromDollars(balance))}{' '}
              <Link to="/main/deposit">{texts.topUp}</Link>
            </p>
          )}
          {price.options > 0 && (
            <p className={styles.about}>{texts.includesOptions(usdFromDollars(price.options))}</p>
          )}
        </div>
        <OrderNoticeLine notice={notice} />
        {errorCount > 1 && (
          <div className={styles.notice} data-faults>
            <ErrorLine>
              {texts.toFix(errorCount)}{' '}
              <LinkButton
                className={styles.toFirst}
                onClick={({ currentTarget: { form: fields } }) => fields && focusFirstError(fields)}
              >
                {texts.toFirst}
              </LinkButton>
            </ErrorLine>
          </div>
        )}
        {lastLabel ? (
          <Button
            kind="ink"
            size="large"
            onClick={event => {
              // The same button is the submit button from the next render on, within this click.
              event.preventDefault()
              onNextLabel()
            }}
          >
            {texts.newLabel}
          </Button>
        ) : (
          <Button
            type="submit"
            kind="money"
            size="large"
            busy={busy}
            disabledReason={busy ? null : disabledReason}
          >
            {texts.submit}
          </Button>
        )}
      </section>
      {lastLabel && lastLabel.pdfName !== broken ? (
        <section className={styles.label} aria-label={texts.lastBought}>
          <Picture
            pdfName={lastLabel.pdfName}
            alt={texts.lastLabel(lastLabel.receiver)}
            onBroken={() => setBroken(lastLabel.pdfName)}
          />
        </section>
      ) : (
        <SpecimenLabel
          className={styles.label}
          service={service?.name.toUpperCase() ?? 'SPECIMEN'}
          weight={form.PackageWeight === '' ? '– lb' : `${form.PackageWeight} lb`}
          from={printedAddress(form, SENDER_LINES)}
          to={printedAddress(form, RECEIVER_LINES)}
        />
      )}
    </div>
  )
}

function shownPrice({ state, dollars }: LabelPrice, lowest: number | null): ReactNode {
  if (state === 'none' && lowest !== null)
    return (
      <>
        <span className={styles.from}>{texts.lowestFrom}</span> {usdFromDollars(lowest)}
      </>
    )
  return state === 'none' || state === 'failed' ? UNKNOWN_PRICE : usdFromDollars(dollars)
}

/** The line under the price: a hint, an error, the shortfall, or the remaining balance. */
function PriceNote({
  form,
  price,
  balance,
}: Pick<OrderSummaryProps, 'form' | 'price' | 'balance'>): ReactNode {
  if (price.state === 'none')
    return (
      <>
        <LinkButton onClick={focusServices}>{texts.chooseService}</LinkButton>{' '}
        <span data-wide>{texts.toOrder}</span>
      </>
    )
  if (price.state === 'failed') {
    const retry = <LinkButton onClick={price.retry}>{texts.tryAgain}</LinkButton>
    return (
      <>
        <span role="alert">{price.reason}</span> {retry}
      </>
    )
  }
  if (price.state === 'asking' && price.dollars === 0) return texts.pricing
  if (form.PackageWeight === '') return texts.forOnePound
  const remaining = Math.round((balance - price.dollars) * 100) / 100
  if (remaining < 0)
    return (
      <>
        {texts.short(usdFromDollars(-remaining))} <Link to="/main/deposit">{texts.topUp}</Link>
      </>
    )
  return texts.leaves(usdFromDollars(remaining))
}

/** The result of the last order. */
function OrderNoticeLine({ notice }: { notice: OrderNotice | null }) {
  if (!notice) return null
  const { kind, text } = notice
  const orders = <Link to="/main/orders">{texts.toOrders}</Link>
  return (
    <div className={styles.notice}>
      {kind === 'later' ? (
        <Notice tone="yellow" action={orders}>
          {text}
        </Notice>
      ) : (
        <ErrorLine>
          <span className={styles.what}>{text}</span>
          {kind === 'uncertain' && (
            <>
              {texts.uncertain} {orders}
            </>
          )}
        </ErrorLine>
      )}
    </div>
  )
}

type AddressLineFields = { first: RowField[]; city: RowField; state: RowField; zip: RowField }
const SENDER_LINES: AddressLineFields = {
  first: ['FromSenderName', 'FromCompany', 'FromStreet1', 'FromStreet2'],
  city: 'FromCity',
  state: 'FromStateProvince',
  zip: 'FromZipPostal',
}
const RECEIVER_LINES: AddressLineFields = {
  first: ['ToRecipientName', 'ToCompany', 'ToStreet1', 'ToStreet2'],
  city: 'ToCity',
  state: 'ToStateProvince',
  zip: 'ToZipPostal',
}

/** Not $0.00, which reads like a price. */
const UNKNOWN_PRICE = '–'
const MIN_ADDRESS_LINES = 3

/**
 * An address as printed on a label, with at least three lines, so the preview does not jump while
 * the user types.
 */
function printedAddress(form: LabelForm, { first, city, state, zip }: AddressLineFields): string[] {
  // The state is preselected, and is no address by itself.
  const cityLine = form[city] || form[zip] ? `${form[city]} ${form[state]} ${form[zip]}` : ''
  const lines = [...first.map(name => form[name]), cityLine]
    .map(line => tidyText(line).toUpperCase())
    .filter(line => line !== '')
  return [...lines, ...Array<string>(Math.max(0, MIN_ADDRESS_LINES - lines.length)).fill('')]
}
