import { useState } from 'react'
import type { TableFile } from '#web/client/table-file.ts'
import { readPriceFile } from './read-price-file.ts'
import { texts } from './texts.ts'

/** Reads the price file that the user chose. `problem`: why the last one could not be read. */
export function usePriceFile(onRead: (file: TableFile) => void): {
  problem: string | null
  reading: boolean
  upload: (files: File[]) => Promise<void>
} {
  const [problem, setProblem] = useState<string | null>(null)
  const [reading, setReading] = useState(false)
  const upload = async ([file]: File[]): Promise<void> => {
    if (!file) return
    setProblem(null)
    setReading(true)
    const read = await readPriceFile(file).catch(() => ({ problem: texts.file.unreadable }))
    setReading(false)
    if ('problem' in read) setProblem(read.problem)
    else onRead(read)
  }
  return { problem, reading, upload }
}
