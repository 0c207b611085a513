/** The dark bar: count, price and what it is made of, the balance afterwards, and Submit. */
import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import type { AvailableService } from '#contract/catalogue.ts'
import { asSentence, numberText } from '#contract/format.ts'
import { cents, fromDollars, usd, ZERO } from '#contract/money.ts'
import { openServices } from '#web/batches/bulk/BulkToolbar.tsx'
import { findServiceByName } from '#web/batches/bulk/checks/validation.ts'
import { useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import type { SubmitProblem } from '#web/batches/bulk/drafts/bulk-store.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import type { TablePrice } from './use-table-price.ts'
import page from '#web/batches/bulk/Bulk.module.css'
import styles from './BulkFooter.module.css'

type BulkFooterProps = {
  count: number
  price: TablePrice
  services: readonly AvailableService[] | undefined
  submitting: boolean
  /** Why the table can't be submitted now. */
  disabledReason: string | null
  problem: SubmitProblem | null
  /** Rows have errors, so that Submit only says which. */
  hasFaults: boolean
  onSubmit: () => void
}

export function BulkFooter({
  count,
  price,
  services,
  submitting,
  disabledReason,
  problem,
  hasFaults,
  onSubmit,
}: BulkFooterProps) {
  const balance = fromDollars(useUser().balance) ?? ZERO
  const { total, pending } = price
  /** The balance may hold the price of these rows already. */
  const isLost = useBulk(bulk => bulk.draft.lost) && !submitting
  /** Orange is the button that spends money. */
  const isReady = count > 0 && !hasFaults && total !== null && price.unpricedRows === 0
  const left = total === null || pending || isLost ? null : cents(balance - total)
  return (
    <div className={styles.foot}>
      {problem && (
        <ErrorLine>
          {problem.conflict ? texts.conflict : problem.text}{' '}
          {problem.conflict && (
            <Link className={page.linkButton} to="/main/batch-orders">
              {texts.openBatchOrders}
            </Link>
          )}
          {problem.canRetry && !submitting && disabledReason === null && (
            <button type="button" className={page.linkButton} onClick={onSubmit}>
              {texts.tryAgain}
            </button>
          )}
        </ErrorLine>
      )}
      <div
        className={styles.bar}
        data-surface={count > 0 ? 'hero' : undefined}
        data-empty={count === 0 || undefined}
      >
        <dl className={styles.figures}>
          <div>
            <dt>{texts.count}</dt>
            <dd>{numberText(count)}</dd>
          </div>
          <div>
            <dt>{texts.price}</dt>
            <dd data-pending={pending || undefined} aria-busy={pending || undefined}>
              {total !== null ? usd(total) : pending ? texts.pricePending : texts.noPrice}
            </dd>
          </div>
          {count > 0 && left !== null && left >= 0 && (
            <div className={styles.after}>
              <dt>{texts.balanceAfter}</dt>
              <dd>{usd(left)}</dd>
            </div>
          )}
        </dl>
        <div className={styles.remark}>
          <PriceParts price={price} services={services} />
          <PriceRemark
            count={count}
            price={price}
            missing={left !== null && left < 0 ? -left : 0}
          />
        </div>
        <Button
          kind={isReady || submitting ? 'money' : 'outline'}
          size="large"
          busy={submitting}
          disabledReason={disabledReason}
          onClick={onSubmit}
        >
          {texts.submit}
        </Button>
      </div>
    </div>
  )
}

/** More would not fit; the rest is one sum. */
const MAX_PARTS = 3

/** '330 × Ground Advantage $6.50 + 82 × Priority Mail $9.50'. Nothing for a single row. */
function PriceParts({ price: { parts }, services }: Pick<BulkFooterProps, 'price' | 'services'>) {
  const listed = parts.slice(0, parts.length > MAX_PARTS ? MAX_PARTS - 1 : MAX_PARTS)
  const others = parts.slice(listed.length)
  const rows = others.reduce((sum, part) => sum + part.rows, 0)
  const amount = cents(others.reduce((sum, part) => sum + part.rows * part.cents, 0))
  if (parts.reduce((sum, part) => sum + part.rows, 0) < 2) return null
  return (
    <p className={styles.parts}>
      {listed.map((part, index) => (
        // The space stands between the parts, where the line may break.
        <Fragment key={`${part.service} ${part.cents}`}>
          <span>
            {index > 0 && '+ '}
            {texts.pricePart(part.rows, serviceTitle(part.service, services), usd(part.cents))}
          </span>{' '}
        </Fragment>
      ))}
      {others.length > 0 && <span>{texts.otherParts(rows, usd(amount))}</span>}
    </p>
  )
}

/** 'Priority Mail' for 'usps:PRIORITY_MAIL': the carrier is the same in almost every table. */
const serviceTitle = (service: string, services: readonly AvailableService[] | undefined): string =>
  (findServiceByName(services ?? [], service)?.name ?? service).replace(/^USPS /, '')

/** `missing`: of the balance, in cents. */
type PriceRemarkProps = { count: number; price: TablePrice; missing: number }

function PriceRemark({ count, price, missing }: PriceRemarkProps) {
  const { error, pending } = price
  const [isAsking, setAsking] = useState(false)
  // The button that has the focus stays until there is an answer.
  if (isAsking && error === null && !pending) setAsking(false)
  const askAgain = () => {
    setAsking(true)
    price.askAgain()
  }
  return (
    <p role="status">
      {count > 0 && (error !== null || isAsking) ? (
        <>
          {error !== null && `${asSentence(error)} `}
          <button
            type="button"
            className={page.linkButton}
            aria-disabled={error === null || undefined}
            onClick={() => error !== null && askAgain()}
          >
            {error === null ? texts.askingPrices : texts.askPricesAgain}
          </button>
        </>
      ) : (
        <RemarkText count={count} price={price} missing={missing} />
      )}
    </p>
  )
}

function RemarkText({ count, price, missing }: PriceRemarkProps) {
  const { total, unpricedRows, pending } = price
  if (count === 0) return texts.priceNeedsFile
  if (total === null && pending) return texts.askingPrices
  if (total === null && !pending && unpricedRows > 0 && price.onlyServiceMissing)
    return (
      <>
        <button type="button" className={page.linkButton} onClick={openServices}>
          {texts.priceNeedsService.action}
        </button>{' '}
        {texts.priceNeedsService.rest}
      </>
    )
  return (
    <>
      {unpricedRows > 0 && !pending && `${texts.unpriced(unpricedRows)} `}
      {missing > 0 && (
        <>
          {texts.short(usd(cents(missing)))}
          <Link to="/main/deposit">{texts.topUp}</Link>
        </>
      )}
    </>
  )
}
