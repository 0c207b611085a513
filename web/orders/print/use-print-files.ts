import { useEffect, useRef, useState } from 'react'
import {
  downloadFile,
  downloadLabels,
  downloadPackingSlips,
  downloadPickList,
  downloadSelectedPackingSlips,
  downloadSelectedPickList,
  downloadTestPage,
} from '#contract/downloads.ts'
import type { LabelFormat } from '#contract/downloads.ts'
import type { Endpoint, RequestInput } from '#contract/endpoint.ts'
import { openApiFile, saveApiFile } from '#web/client/api-files.ts'
import { fieldErrorsOf, messageOf } from '#web/client/send.ts'
import {
  opensInBrowser,
  labelDownloadRequest,
  labelsRequest,
  packingOfBatch,
  packingOfLabels,
  testPageRequest,
} from './print-options.ts'
import type { Packable, PrintOptions, Printable } from './print-options.ts'
import { texts } from './texts.ts'

type PrintFile = 'labels' | 'test' | 'slips' | 'list'
/**
 * `rowsProblem`: the server's error for the typed rows. `address`: of a file whose tab was blocked.
 */
type PrintResult = { file?: PrintFile; problem?: string; rowsProblem?: string; address?: string }

/** Fetches one file at a time; a second call meanwhile does nothing. */
export function usePrintFiles() {
  const [fetching, setFetching] = useState<PrintFile | null>(null)
  const [result, setResult] = useState<PrintResult>({})
  const running = useRef<AbortController | null>(null)
  const clearResult = () => setResult({})
  const cancel = () => {
    running.current?.abort()
    running.current = null
    setFetching(null)
    clearResult()
  }
  useEffect(() => () => running.current?.abort(), [])

  /** True when the browser has the file. */
  const fetchFile = async <C extends Endpoint>(
    file: PrintFile,
    call: C,
    input: RequestInput<C>,
    format: LabelFormat,
  ): Promise<boolean> => {
    if (running.current) return false
    const controller = (running.current = new AbortController())
    const isCurrent = () => controller === running.current
    setFetching(file)
    clearResult()
    try {
      const address = opensInBrowser(format)
        ? await openApiFile(call, input, controller.signal)
        : await saveApiFile(call, input, controller.signal)
      if (address && isCurrent()) setResult({ file, address })
      return !address
    } catch (reason) {
      const { rows } = fieldErrorsOf(reason)
      if (isCurrent())
        setResult(rows ? { rowsProblem: rows } : { problem: messageOf(reason, texts.failed) })
      return false
    } finally {
      if (isCurrent()) {
        running.current = null
        setFetching(null)
      }
    }
  }
  return {
    fetching,
    result,
    cancel,
    clearResult,
    labels: (printable: Printable, options: PrintOptions) =>
      'orderIds' in printable
        ? fetchFile('labels', downloadLabels, labelsRequest(printable, options), options.format)
        : fetchFile(
            'labels',
            downloadFile,
            labelDownloadRequest(printable, options),
            options.format,
          ),
    slips: (packable: Packable, options: PrintOptions) =>
      'orderIds' in packable
        ? fetchFile(
            'slips',
            downloadSelectedPackingSlips,
            packingOfLabels(packable, options),
            'pdf',
          )
        : fetchFile('slips', downloadPackingSlips, packingOfBatch(packable, options), 'pdf'),
    list: (packable: Packable, options: PrintOptions) =>
      'orderIds' in packable
        ? fetchFile('list', downloadSelectedPickList, packingOfLabels(packable, options), 'pdf')
        : fetchFile('list', downloadPickList, packingOfBatch(packable, options), 'pdf'),
    test: (options: PrintOptions) =>
      fetchFile('test', downloadTestPage, testPageRequest(options), options.format),
  }
}
