import { scaleLinear } from '@visx/scale'
import { usdFromDollars } from '#contract/money.ts'
import { PlotArea } from '#web/charts/PlotArea.tsx'
import type { PointText } from '#web/charts/PlotArea.tsx'
import { lossSpans, namesTouch } from '#web/charts/steps.ts'
import type { PoundCost, PriceStep } from '#web/charts/steps.ts'
import { texts } from '#web/charts/texts.ts'
import { axisTicks } from '#web/charts/ticks.ts'
import { Axes, frameOf } from './Axes.tsx'
import styles from '#web/charts/Charts.module.css'

type PriceStepsPlotProps = {
  name: string
  maxWeight: number
  steps: readonly PriceStep[]
  costs: readonly PoundCost[]
  textOf: (index: number) => PointText
  widthPx: number
  heightPx: number
}

/** Width of a character of a price, in px. */
const LETTER_PX = 7

/** Costs that stand alone are named as long as there are few, and no name touches another. */
const NAMED_COSTS = 3
/** From a dot to its name, in px. */
const NAME_GAP_PX = 9

export function PriceStepsPlot({
  name,
  maxWeight,
  steps,
  costs,
  textOf,
  widthPx,
  heightPx,
}: PriceStepsPlotProps) {
  const amounts = [...steps.map(({ price }) => price ?? 0), ...costs.map(({ cost }) => cost)]
  const ticks = axisTicks(0, Math.max(1, ...amounts), 'usd', 3)
  const frame = frameOf(widthPx, heightPx, ticks)
  const { y } = frame
  // Pound 1 is every parcel above 0 and up to 1 lb.
  const x = scaleLinear<number>({ domain: [0, maxWeight], range: [frame.left, frame.right] })
  const names = weightTicks(maxWeight).map(pounds => ({
    text: texts.steps.pounds(pounds),
    x: x(pounds),
  }))
  const alone = costs.filter(
    ({ pounds }, index) =>
      costs[index - 1]?.pounds !== pounds - 1 && costs[index + 1]?.pounds !== pounds + 1,
  )
  const areNamed =
    alone.length <= NAMED_COSTS
    && !namesTouch(
      alone.map(({ pounds, cost }) => ({
        x: x(pounds - 0.5),
        y: y(cost),
        width: NAME_GAP_PX + usdFromDollars(cost).length * LETTER_PX + NAME_GAP_PX,
      })),
    )
  const span = (from: number, to: number) => ({ x: x(from - 1), width: x(to) - x(from - 1) })
  return (
    <PlotArea
      name={name}
      widthPx={widthPx}
      heightPx={heightPx}
      count={maxWeight}
      start={0}
      textOf={textOf}
      placeOf={index => ({ x: x(index + 0.5), y: frame.top })}
      indexAt={at => {
        const pound = Math.floor(x.invert(at))
        return pound < 0 || pound >= maxWeight ? null : pound
      }}
    >
      {active => (
        <>
          {active !== null && (
            <rect
              {...span(active + 1, active + 1)}
              y={frame.top}
              height={frame.bottom - frame.top}
              className={styles.band}
            />
          )}
          {steps.map(({ from, to, price }) =>
            price === null ? (
              <rect
                key={from}
                {...span(from, to)}
                y={frame.top}
                height={frame.bottom - frame.top}
                className={styles.gap}
              />
            ) : (
              <rect
                key={from}
                {...span(from, to)}
                y={y(price)}
                height={y(0) - y(price)}
                className={styles.step}
              />
            ),
          )}
          {lossSpans(steps, costs).map(({ from, to }) => (
            <rect
              key={from}
              {...span(from, to)}
              y={frame.top}
              height={frame.bottom - frame.top}
              className={styles.step}
              data-loss
            />
          ))}
          <Axes frame={frame} ticks={ticks} names={names} />
          {steps.map(({ from, to, price }) => (
            <g key={from}>
              {price !== null && (
                <line
                  x1={x(from - 1) + 1}
                  x2={x(to) - 1}
                  y1={y(price)}
                  y2={y(price)}
                  className={styles.stepTop}
                />
              )}
              {price !== null
                && span(from, to).width > usdFromDollars(price).length * LETTER_PX + 4 && (
                  <text
                    x={x(from - 1) + span(from, to).width / 2}
                    y={y(price) + (y(price) - frame.top > 18 ? -6 : 16)}
                    textAnchor="middle"
                    className={styles.stepText}
                  >
                    {usdFromDollars(price)}
                  </text>
                )}
            </g>
          ))}
          {alone.map(({ pounds, cost }) => (
            <g key={pounds}>
              <circle cx={x(pounds - 0.5)} cy={y(cost)} r="4" className={styles.costDot} />
              {areNamed && (
                <text
                  x={x(pounds - 0.5) + NAME_GAP_PX}
                  y={y(cost) + 14}
                  className={styles.costText}
                >
                  {usdFromDollars(cost)}
                </text>
              )}
            </g>
          ))}
          <path
            d={costPath(
              costs,
              pounds => x(pounds),
              cost => y(cost),
            )}
            className={styles.thin}
          />
        </>
      )}
    </PlotArea>
  )
}

/** A level line for each pound whose cost is known, joined to the line of the next pound. */
function costPath(
  costs: readonly PoundCost[],
  x: (pounds: number) => number,
  y: (cost: number) => number,
): string {
  return costs
    .map(({ pounds, cost }, index) => {
      const joined = costs[index - 1]?.pounds === pounds - 1
      return `${joined ? 'L' : 'M'}${x(pounds - 1)},${y(cost)}L${x(pounds)},${y(cost)}`
    })
    .join('')
}

/** 1 lb, the maximum and the tens between, without names that touch. */
function weightTicks(maxWeight: number): number[] {
  const every = maxWeight > 40 ? 20 : maxWeight > 12 ? 10 : 5
  const between = Array.from({ length: Math.floor(maxWeight / every) }, (_, n) => (n + 1) * every)
  return [1, ...between.filter(pounds => maxWeight - pounds > every / 2), maxWeight]
}
