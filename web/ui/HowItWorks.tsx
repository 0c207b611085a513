import { Card } from './Card.tsx'
import { StepRail } from './StepRail.tsx'
import { useIsPhone } from './use-viewport.ts'

type HowItWorksProps = {
  title: string
  steps: readonly { name: string; text: string }[]
}

/** Explains a page that has no rows yet: what happens, in three steps. */
export function HowItWorks({ title, steps }: HowItWorksProps) {
  const isPhone = useIsPhone()
  return (
    <Card title={title}>
      <StepRail vertical={isPhone} steps={steps.map(step => ({ ...step, state: 'ahead' }))} />
    </Card>
  )
}
