import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { PublicHeader } from '#web/shell/PublicHeader.tsx'
import { SpecimenLabel } from '#web/shell/SpecimenLabel.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { StepRail } from '#web/ui/StepRail.tsx'
import type { RailStep } from '#web/ui/StepRail.tsx'
import { FlatPrice } from './FlatPrice.tsx'
import { texts } from './texts.ts'
import styles from './AuthLayout.module.css'

type AuthLayoutProps = {
  title: string
  children: ReactNode
  foot?: ReactNode
  /** At the end of the header: the ways to sign in; the user, or the ways to sign in where there is none; or nothing. */
  side?: 'sign-in' | 'user' | 'none'
  /** Beside the form: a label, with the price or with what comes next, or in two pieces where something is wrong. */
  panel?: 'label' | 'price' | 'next-steps' | 'torn'
  /** Above a label alone. */
  headline?: string
  /** Which of the example parcels the label is for (SpecimenLabel.tsx). */
  parcel?: number
}

/** A column on the edge of the logo; from 768 px a panel with a specimen label beside it. */
export function AuthLayout(props: AuthLayoutProps) {
  const { title, children, foot, side = 'none', panel = 'label', headline, parcel } = props
  return (
    <div className={styles.page}>
      <PublicHeader side={side} />
      <div className={styles.body}>
        <main id="content" tabIndex={-1} className={styles.column}>
          <PageTitle title={title} product={PRODUCT} className={styles.title} />
          {children}
          {foot && <p className={styles.foot}>{foot}</p>}
        </main>
        <Panel kind={panel} headline={headline} parcel={parcel} />
      </div>
    </div>
  )
}

type PanelProps = { kind: NonNullable<AuthLayoutProps['panel']> } & Pick<
  AuthLayoutProps,
  'headline' | 'parcel'
>

function Panel({ kind, headline, parcel }: PanelProps) {
  const label = (
    <div className={styles.labels}>
      <SpecimenLabel parcel={parcel} className={styles.label} />
      {kind === 'torn' && <SpecimenLabel parcel={parcel} className={styles.label} />}
    </div>
  )
  if (kind === 'label' && headline === undefined)
    return (
      <div className={styles.panel} data-kind={kind}>
        {label}
      </div>
    )
  return (
    <aside
      className={styles.panel}
      data-kind={kind}
      aria-label={kind === 'price' ? texts.proof.name : undefined}
      aria-labelledby={kind === 'price' ? undefined : HEADLINE_ID}
    >
      {kind === 'price' ? (
        <FlatPrice />
      ) : kind === 'next-steps' ? (
        <NextSteps />
      ) : (
        <Headline>{headline}</Headline>
      )}
      {label}
    </aside>
  )
}

const HEADLINE_ID = 'panel-headline'

const laterStep = ({ name, text }: { name: string; text: string }, to: string): RailStep => ({
  name: (
    <Link to={to} className={styles.later}>
      {name}
    </Link>
  ),
  text,
  state: 'ahead',
})

const NEXT_STEPS: RailStep[] = [
  { name: texts.nextSteps.account, state: 'done' },
  laterStep(texts.nextSteps.money, '/main/deposit'),
  laterStep(texts.nextSteps.label, '/main/order-label'),
]

const Headline = ({ children }: { children: ReactNode }) => (
  <h2 id={HEADLINE_ID} className={styles.headline}>
    {children}
  </h2>
)

const NextSteps = () => (
  <>
    <Headline>{texts.nextSteps.title}</Headline>
    <StepRail steps={NEXT_STEPS} vertical />
  </>
)
