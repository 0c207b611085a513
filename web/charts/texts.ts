/** Texts of the charts. */
export const texts = {
  showTable: 'Show as table',
  showChart: 'Show as chart',
  tableOf: (name: string) => `${name}, as a table`,
  legend: 'Legend',
  noPlot: 'We couldn’t load this chart. Its numbers are in the table.',
  total: 'Total',
  day: 'Day',
  week: 'Week from',
  weekFrom: (day: string) => `Week from ${day}`,
  /** Accessible name of the control that moves through the points. */
  points: (name: string) => `${name}: arrow keys read each value`,
  none: 'None',
  belowCost: 'Below cost',
  average: (name: string, days: number) => `${name}, ${days}-day average`,
  curve: {
    at: 'Date & Time',
    balance: 'Balance',
    held: 'On hold',
    deposit: 'Deposit',
    forecast: 'Recent pace',
  },
  map: {
    state: 'State',
    share: 'Share',
    range: (from: string, to: string) => `${from}–${to}`,
  },
  steps: {
    weight: 'Weight',
    price: 'Price',
    cost: 'Carrier cost',
    margin: 'Margin',
    unknown: 'Not known',
    noPrice: 'No price',
    pounds: (pounds: number) => `${pounds} lb`,
  },
}
