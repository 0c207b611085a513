import { useEffect, useRef, useState } from 'react'
import { downloadFile, downloadTestPage } from '#contract/downloads.ts'
import type { LabelFormat } from '#contract/downloads.ts'
import type { Endpoint, RequestInput } from '#contract/endpoint.ts'
import { openApiFile, saveApiFile } from '#web/client/api-files.ts'
import { fieldErrorsOf, messageOf } from '#web/client/send.ts'
import { opensInBrowser, labelDownloadRequest, testPageRequest } from './print-options.ts'
import type { PrintOptions, Printable } from './print-options.ts'
import { texts } from './texts.ts'

type PrintFile = 'labels' | 'test'
/** `rows`: what the server says of the rows that were typed. `address`: of a file for which the browser opened no tab. */
type PrintResult = { file?: PrintFile; problem?: string; rowsProblem?: string; address?: string }

/** Fetches files one at a time; what is asked for meanwhile is not heard. */
export function usePrintFiles() {
  const [doing, setDoing] = useState<PrintFile | null>(null)
  const [outcome, setOutcome] = useState<PrintResult>({})
  const running = useRef<AbortController | null>(null)
  /** Lets go of what is being fetched, and of what was said. */
  const stop = () => {
    running.current?.abort()
    running.current = null
    setDoing(null)
    setOutcome({})
  }
  useEffect(() => () => running.current?.abort(), [])

  /** True when the browser has the file. */
  const fetchFile = async <C extends Endpoint>(
    what: PrintFile,
    call: C,
    wish: RequestInput<C>,
    format: LabelFormat,
  ): Promise<boolean> => {
    if (running.current) return false
    const mine = (running.current = new AbortController())
    setDoing(what)
    setOutcome({})
    const say = (told: PrintResult) => mine === running.current && setOutcome(told)
    try {
      const address = opensInBrowser(format)
        ? await openApiFile(call, wish, mine.signal)
        : await saveApiFile(call, wish, mine.signal)
      if (address) say({ file: what, address })
      return !address
    } catch (reason) {
      const { rows } = fieldErrorsOf(reason)
      say(rows ? { rowsProblem: rows } : { problem: messageOf(reason, texts.failed) })
      return false
    } finally {
      if (mine === running.current) {
        running.current = null
        setDoing(null)
      }
    }
  }
  return {
    doing,
    outcome,
    stop,
    labels: (thing: Printable, choice: PrintOptions) =>
      fetchFile('labels', downloadFile, labelDownloadRequest(thing, choice), choice.format),
    test: (choice: PrintOptions) =>
      fetchFile('test', downloadTestPage, testPageRequest(choice), choice.format),
    /** What was said is no longer true: another choice was made. */
    unsay: () => setOutcome({}),
  }
}
