import { useEffect, useRef, useState } from 'react'
import type { Call, Wish } from '#contract/call.ts'
import { download, testPage } from '#contract/orders.ts'
import type { LabelFormat } from '#contract/orders.ts'
import { fieldErrorsOf, messageOf } from '#web/client/send.ts'
import { openFile, takeFile } from '#web/client/take-file.ts'
import { isShown, labelsWish, testWish } from './choice.ts'
import type { Choice, Printable } from './choice.ts'
import { texts } from './texts.ts'

type What = 'labels' | 'test'
/** `rows`: what the server says of the rows that were typed. `address`: of a file for which the browser opened no tab. */
type Outcome = { what?: What; problem?: string; rows?: string; address?: string }

/** Fetches files one at a time; what is asked for meanwhile is not heard. */
export function useFiles() {
  const [doing, setDoing] = useState<What | null>(null)
  const [outcome, setOutcome] = useState<Outcome>({})
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
  const fetchFile = async <C extends Call>(
    what: What,
    call: C,
    wish: Wish<C>,
    format: LabelFormat,
  ): Promise<boolean> => {
    if (running.current) return false
    const mine = (running.current = new AbortController())
    setDoing(what)
    setOutcome({})
    const say = (told: Outcome) => mine === running.current && setOutcome(told)
    try {
      const address = isShown(format)
        ? await openFile(call, wish, mine.signal)
        : await takeFile(call, wish, mine.signal)
      if (address) say({ what, address })
      return !address
    } catch (reason) {
      const { rows } = fieldErrorsOf(reason)
      say(rows ? { rows } : { problem: messageOf(reason, texts.failed) })
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
    labels: (thing: Printable, choice: Choice) =>
      fetchFile('labels', download, labelsWish(thing, choice), choice.format),
    test: (choice: Choice) => fetchFile('test', testPage, testWish(choice), choice.format),
    /** What was said is no longer true: another choice was made. */
    unsay: () => setOutcome({}),
  }
}
