import type { ReactNode } from 'react'
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
  /** At the end of the header: the ways to sign in, which only four pages have; the user; or nothing. */
  side?: 'sign-in' | 'user' | 'none'
  /** Beside the form: a label, with the price or with what comes next, or in two pieces where something is wrong. */
  panel?: 'label' | 'price' | 'next-steps' | 'torn'
}

/** A column on the edge of the logo; from 768 px a panel with a specimen label beside it. */
export function AuthLayout(props: AuthLayoutProps) {
  const { title, children, foot, side = 'none', panel = 'label' } = props
  return (
    <div className={styles.page}>
      <PublicHeader side={side} />
      <div className={styles.body}>
        <main id="content" tabIndex={-1} className={styles.column}>
          <PageTitle title={title} product={PRODUCT} className={styles.title} />
          {children}
          {foot && <p className={styles.foot}>{foot}</p>}
        </main>
        <Panel kind={panel} />
      </div>
    </div>
  )
}

function Panel({ kind }: { kind: NonNullable<AuthLayoutProps['panel']> }) {
  if (kind === 'label' || kind === 'torn')
    return (
      <div className={styles.panel} data-kind={kind}>
        <div className={styles.labels}>
          <SpecimenLabel className={styles.label} />
          {kind === 'torn' && <SpecimenLabel className={styles.label} />}
        </div>
      </div>
    )
  return (
    <aside
      className={styles.panel}
      data-kind={kind}
      aria-label={kind === 'price' ? texts.proof.name : undefined}
      aria-labelledby={kind === 'price' ? undefined : NEXT_STEPS_ID}
    >
      {kind === 'price' ? <FlatPrice /> : <NextSteps />}
      <div className={styles.labels}>
        <SpecimenLabel className={styles.label} />
      </div>
    </aside>
  )
}

const NEXT_STEPS_ID = 'next-steps'

const NEXT_STEPS: RailStep[] = [
  { name: texts.nextSteps.account, state: 'done' },
  { ...texts.nextSteps.money, state: 'ahead' },
  { ...texts.nextSteps.label, state: 'ahead' },
]

const NextSteps = () => (
  <>
    <h2 id={NEXT_STEPS_ID} className={styles.headline}>
      {texts.nextSteps.title}
    </h2>
    <StepRail steps={NEXT_STEPS} vertical />
  </>
)
