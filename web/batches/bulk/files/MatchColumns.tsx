import { MatchColumnsDialog } from '#web/batches/columns/MatchColumnsDialog.tsx'
import type { ColumnMatching } from './use-column-matching.ts'

/** The dialog for the columns of the file that is being read. */
export function MatchColumns({
  matching,
  hasSender,
}: {
  matching: ColumnMatching | null
  hasSender: boolean
}) {
  const columns = matching?.columns
  const known = matching?.known
  return (
    <MatchColumnsDialog
      preview={columns?.preview ?? null}
      fileName={matching?.fileName ?? ''}
      current={known ? { columns: known.columns, constants: known.mapping?.constants ?? {} } : null}
      {...(known && { source: { id: known.source, alsoRead: known.alsoRead } })}
      hasSender={hasSender}
      {...(columns?.sheet !== undefined && {
        sheets: {
          names: columns.sheets,
          current: columns.sheet,
          onChoose: (sheet: string) => matching?.answer({ sheet }),
        },
      })}
      onUse={mapping =>
        columns && matching?.answer({ mapping, fingerprint: columns.preview.fingerprint })
      }
      onClose={() => matching?.answer(null)}
    />
  )
}
