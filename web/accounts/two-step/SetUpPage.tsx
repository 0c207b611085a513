import { IconShieldLock } from '@tabler/icons-react'
import { useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { refreshUser, useSession } from '#web/client/session.ts'
import { BareFrame } from '#web/shell/Frame.tsx'
import type { SignInReturnState } from '#web/shell/route-guards.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { texts } from './texts.ts'
import { FactorButtons } from './TwoStepSection.tsx'
import { useAddFactor } from './use-add-factor.tsx'
import { useFactors } from './use-factors.ts'
import styles from './TwoStep.module.css'

const t = texts.setUp

/** For a user who must set up a second factor before anything else; then on to where they were going. */
export function SetUpPage() {
  const [required] = useState(useSession.getState().secondFactorRequired)
  const navigate = useNavigate()
  const next = (useLocation().state as SignInReturnState)?.from ?? '/main/dashboard'
  const { factors, failed, retry, refresh } = useFactors()
  const proceed = async () => {
    await refreshUser()
    await navigate(next, { replace: true })
  }
  const add = useAddFactor(refresh, () => void proceed())
  if (!required) return <Navigate to={next} replace />
  // In another tab, or its recovery codes were not confirmed before a reload.
  const done = factors !== undefined && factors.factors.length > 0
  return (
    <BareFrame title={t.frame}>
      <Card title={t.title} className={styles.setUp}>
        <div className={styles.status}>
          <p className={styles.lead}>
            <IconShieldLock aria-hidden="true" />
            <span>{t.text}</span>
          </p>
          <p className={styles.explain}>{t.why}</p>
          {done ? (
            <Notice
              tone="green"
              action={
                <Button size="small" onClick={proceed}>
                  {t.proceed}
                </Button>
              }
            >
              {t.done}
            </Notice>
          ) : factors ? (
            <FactorButtons list={factors} add={add} kind="ink" />
          ) : failed ? (
            <LoadErrorNotice onRetry={retry}>{texts.section.loadFailed}</LoadErrorNotice>
          ) : (
            <Skeleton width="60%" />
          )}
        </div>
      </Card>
      {add.dialog}
    </BareFrame>
  )
}
