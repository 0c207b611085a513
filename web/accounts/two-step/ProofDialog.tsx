import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { PROOF_MINUTES, proofOptions, prove } from '#contract/second-factor.ts'
import { answerProof, changeProofMethods, useProofRequest } from '#web/client/proof.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FactorForm } from './FactorForm.tsx'
import { texts } from './texts.ts'
import styles from './TwoStep.module.css'

const t = texts.proof

/** Over everything else while calls wait for a fresh proof of identity. Leaving the page declines. */
export function ProofDialog() {
  const { email } = useUser()
  const request = useProofRequest(state => state.request)
  const { pathname } = useLocation()
  const openedOn = useRef(pathname)
  useEffect(() => {
    if (openedOn.current !== pathname) answerProof(false)
  }, [pathname])
  if (!request) return null
  const decline = () => answerProof(false)
  const loadPasskeyOptions = async () => {
    const { methods, options } = await send(proofOptions, {})
    // Another tab may have removed the last factor: the password counts then.
    if (!methods.some(method => request.methods.includes(method))) changeProofMethods(methods)
    return options
  }
  return (
    <Dialog opened isForm onClose={decline} title={t.title} size="small" closeButton={false}>
      <p className={styles.explain}>{t.text(PROOF_MINUTES)}</p>
      <FactorForm
        key={request.methods.join()}
        methods={request.methods}
        email={email}
        layout="dialog"
        submitText={t.submit}
        busyText={t.busy}
        failedText={texts.failed}
        passkeyOptions={loadPasskeyOptions}
        give={async given => {
          try {
            await send(prove, { body: given })
          } catch (reason) {
            await loadPasskeyOptions().catch(() => null)
            throw reason
          }
          answerProof(true)
        }}
        leave={
          <Button size="large" onClick={decline}>
            {t.cancel}
          </Button>
        }
      />
    </Dialog>
  )
}
