/** The command line of scripts/evenpost.ts. */
import { parseArgs } from 'node:util'
import { ROW_GROUPINGS } from '#contract/imports.ts'
import type { RowGrouping } from '#contract/imports.ts'

/** The command line is wrong; its message says what to write instead. */
export class UsageError extends Error {}

export type Connection = { server: string; key: string }
/**
 * `sheet`: of a workbook, null if none was named. `maxCost` in dollars. `results`, `pdf` and `faulty`
 * are paths of files to write.
 */
export type BuyOptions = {
  file: string
  sheet: string | null
  service: string
  oneLabelFor: RowGrouping
  maxCost: number | null
  results: string
  pdf: string | null
  faulty: string
  dryRun: boolean
  skipFaulty: boolean
  allowRepeats: boolean
}
export type Command =
  | { name: 'help' }
  | { name: 'buy'; options: BuyOptions }
  | { name: 'status' | 'retry'; batchId: string }
  | { name: 'download'; batchId: string; results: string | null; pdf: string | null }
  | { name: 'services' | 'balance' }
export type CommandLine = { command: Command; connection: Connection; json: boolean }

export const HELP = `Buys shipping labels with an API key. Keys are made on the Account page.

  node scripts/evenpost.ts labels buy --file orders.csv    buy a label for each row of a file
  node scripts/evenpost.ts labels status 27                show how bulk order 27 stands
  node scripts/evenpost.ts labels retry 27                 buy its failed labels again, at their price
  node scripts/evenpost.ts labels download 27 --pdf labels.pdf --results results.csv
  node scripts/evenpost.ts services                        list the services and their limits
  node scripts/evenpost.ts balance                         show the balance

Connection
  --server URL     where Evenpost runs, or EVENPOST_URL; http://localhost:3000 without either
  --key KEY        the API key; better in EVENPOST_KEY, where other users of the machine do not see it
  --json           print the end as one line of JSON

labels buy
  --file FILE            .csv, .txt, .tsv or .xlsx: the bulk template or the export of a marketplace
  --sheet NAME           the sheet to buy, if a workbook has several
  --service NAME         for rows that name none in a column SERVICE
  --one-label-for WHAT   line (default), order or address
  --max-cost DOLLARS     buy nothing if it costs more
  --dry-run              check and price the file, and stop
  --skip-faulty          leave faulty rows out instead of buying nothing
  --allow-repeats        buy labels again for orders that have one
  --results FILE         tracking numbers, FILE-results.csv by default (with --sheet, FILE-NAME-results.csv)
  --pdf FILE             all labels in one PDF
  --faulty FILE          the faulty rows with their reasons, FILE-faulty.csv by default

If the connection or the computer fails, run the same command again: it goes on with the same bulk
order, and no label is bought twice.

Exit codes: 0 done; 1 nothing was bought; 2 wrong arguments; 3 some labels were not bought;
4 the end is not known yet, run the same command again.
`

const OPTIONS = {
  server: { type: 'string' },
  key: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  file: { type: 'string' },
  sheet: { type: 'string' },
  service: { type: 'string' },
  'one-label-for': { type: 'string' },
  'max-cost': { type: 'string' },
  'dry-run': { type: 'boolean' },
  'skip-faulty': { type: 'boolean' },
  'allow-repeats': { type: 'boolean' },
  results: { type: 'string' },
  pdf: { type: 'string' },
  faulty: { type: 'string' },
} as const
type OptionName = keyof typeof OPTIONS
type Values = ReturnType<typeof parse>['values']

/** Options of every command; the others belong to the commands below. */
const COMMON: readonly OptionName[] = ['server', 'key', 'json', 'help']
const OWN_OPTIONS: Record<Command['name'], readonly OptionName[]> = {
  help: [],
  buy: Object.keys(OPTIONS) as OptionName[],
  status: [],
  retry: [],
  download: ['results', 'pdf'],
  services: [],
  balance: [],
}

const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })

/** Throws UsageError. `env`: EVENPOST_KEY and EVENPOST_URL take the place of --key and --server. */
export function readCommandLine(
  args: readonly string[],
  env: Record<string, string | undefined>,
): CommandLine {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const { values, positionals } = parsed
  const command: Command =
    values.help || positionals.length === 0 ? { name: 'help' } : commandOf(positionals, values)
  const unfit = (Object.keys(values) as OptionName[]).find(
    name => !COMMON.includes(name) && !OWN_OPTIONS[command.name].includes(name),
  )
  if (unfit && command.name !== 'help')
    throw new UsageError(`--${unfit} does not belong to ${positionals.slice(0, 2).join(' ')}.`)
  const key = values.key ?? env.EVENPOST_KEY ?? ''
  if (command.name !== 'help' && key === '')
    throw new UsageError(
      'Set EVENPOST_KEY to an API key, or pass --key. The Account page makes keys.',
    )
  const server = serverFrom(values.server ?? env.EVENPOST_URL ?? 'http://localhost:3000')
  return { command, connection: { server, key }, json: values.json }
}

function serverFrom(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin
  throw new UsageError(
    `'${text}' is not the address of a server, such as https://labels.example.com.`,
  )
}

function commandOf(words: readonly string[], values: Values): Command {
  const [first, second, batch, ...more] = words
  if ((first === 'services' || first === 'balance') && second === undefined) return { name: first }
  if (first === 'labels' && second === 'buy' && batch === undefined)
    return { name: 'buy', options: buyOptions(values) }
  const isOfBatch = second === 'status' || second === 'retry' || second === 'download'
  if (first === 'labels' && isOfBatch && more.length === 0) {
    const batchId = batchIdFrom(second, batch)
    if (second !== 'download') return { name: second, batchId }
    const { results = null, pdf = null } = values
    if (results === null && pdf === null)
      throw new UsageError('labels download needs --pdf or --results: where to write the file.')
    return { name: 'download', batchId, results, pdf }
  }
  throw new UsageError(`There is no command '${words.join(' ')}'.`)
}

function batchIdFrom(command: string, text: string | undefined): string {
  if (text !== undefined && /^[1-9]\d{0,17}$/.test(text)) return text
  throw new UsageError(`labels ${command} needs the number of a bulk order, such as 27.`)
}

function buyOptions(values: Values): BuyOptions {
  const { file } = values
  if (!file) throw new UsageError('labels buy needs --file with the orders.')
  const oneLabelFor = values['one-label-for'] ?? 'line'
  if (!(ROW_GROUPINGS as readonly string[]).includes(oneLabelFor))
    throw new UsageError(`--one-label-for must be ${ROW_GROUPINGS.join(', ')}.`)
  const { sheet = null } = values
  const stem = file.replace(/\.\w+$/, '') + (sheet === null ? '' : `-${fileNamePart(sheet)}`)
  return {
    file,
    sheet,
    service: values.service ?? '',
    oneLabelFor: oneLabelFor as RowGrouping,
    maxCost: maxCostFrom(values['max-cost']),
    results: values.results ?? `${stem}-results.csv`,
    pdf: values.pdf ?? null,
    faulty: values.faulty ?? `${stem}-faulty.csv`,
    dryRun: values['dry-run'] ?? false,
    skipFaulty: values['skip-faulty'] ?? false,
    allowRepeats: values['allow-repeats'] ?? false,
  }
}

/** The text with a dash for each character that a system does not allow in file names. */
export const fileNamePart = (text: string): string => text.replace(/[/\\:*?"<>|\p{Cc}]/gu, '-')

function maxCostFrom(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^\d{1,8}(\.\d{1,2})?$/.test(text)) return Number(text)
  throw new UsageError(`--max-cost must be an amount in dollars such as 250.00, not '${text}'.`)
}
