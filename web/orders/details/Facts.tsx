/** Names with values, addresses and the package of a label, for its owner and for administrators. */
import type { ReactNode } from 'react'
import type { Order } from '#contract/orders.ts'
import { Card } from '#web/ui/Card.tsx'
import { addressLines, optionNames, parcelFacts } from './label-facts.ts'
import { texts } from './texts.ts'
import styles from './Details.module.css'

/** A name and its value; nothing if there is no value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return children === null || children === false || children === '' ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type FactCardProps = {
  title: string
  action?: ReactNode
  className?: string | undefined
  children: ReactNode
}

export const FactCard = ({ title, action, className, children }: FactCardProps) => (
  <Card title={title} action={action} className={className}>
    <dl className={styles.facts}>{children}</dl>
  </Card>
)

type Shipment = Pick<Order, 'sender' | 'receiver' | 'package' | 'signature' | 'saturday'>

/** The package and how it is delivered. */
export const ParcelCard = ({ order }: { order: Shipment }) => (
  <FactCard title={texts.parcel}>
    {parcelFacts(order.package).map(({ name, value }) => (
      <Fact key={name} name={texts.names[name]}>
        {value}
      </Fact>
    ))}
    <Fact name={texts.names.options}>{optionNames(order)}</Fact>
  </FactCard>
)

type SideCardsProps = { order: Shipment; className: string | undefined }

/** Sender and receiver. */
export const SideCards = ({ order, className }: SideCardsProps) => (
  <div className={className}>
    <Card title={texts.from}>
      <AddressBlock lines={addressLines(order.sender, 'sender')} />
    </Card>
    <Card title={texts.to}>
      <AddressBlock lines={addressLines(order.receiver, 'receiver')} />
    </Card>
  </div>
)

const AddressBlock = ({ lines }: { lines: string[] }) => (
  <address className={styles.address}>
    {lines.map((line, index) => (
      <span key={index}>{line}</span>
    ))}
  </address>
)
