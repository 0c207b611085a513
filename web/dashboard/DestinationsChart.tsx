import { countText } from '#contract/format.ts'
import type { DestinationReport, ReportDays } from '#contract/reports.ts'
import { STATES } from '#contract/states.ts'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import { shareText } from '#web/charts/series.ts'
import { TileMap } from '#web/charts/TileMap.tsx'
import { texts } from './texts.ts'
import { useDestinationReport } from './use-reports.ts'

const t = texts.destinations

/** Labels by state of the receiver, as a map. */
export function DestinationsChart({ days, heightPx }: { days: ReportDays; heightPx: number }) {
  const { data, isError, refetch } = useDestinationReport(days)
  return (
    <ChartCard
      title={t.title}
      heightPx={heightPx}
      data={data}
      failed={isError ? { text: t.failed, onRetry: () => void refetch() } : null}
      empty={({ labels, period }) =>
        labels === 0 ? { title: texts.sales.none(period), text: t.noneText } : null
      }
    >
      {report => (
        <TileMap
          name={t.title}
          caption={captionOf(report)}
          values={new Map(report.states.map(({ state, labels }) => [state, labels]))}
          valueName={texts.sales.labels}
          heightPx={heightPx}
        />
      )}
    </ChartCard>
  )
}

function captionOf({ states, labels }: DestinationReport): string {
  const [most] = states
  if (!most) return ''
  const name = STATES.find(({ code }) => code === most.state)?.name ?? most.state
  return t.most(
    countText(states.length, t.destination),
    name,
    countText(most.labels, texts.label),
    shareText(most.labels / labels),
  )
}
