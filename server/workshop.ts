import type { WithBatches } from './batches/close.ts'
/** What runs beside the calls to make labels: the catalogue's first look at the carrier, the worker, the batches' keeper. */
import { batchKeeper } from './batches/jobs.ts'
import { openCarrier } from './carriers/open.ts'
import { refreshRawServices } from './carriers/service.ts'
import { ensureCatalogue } from './catalogue/service.ts'
import { demandFiles, openFiles } from './labels/files/open.ts'
import { startWorker } from './orders/jobs.ts'
import type { Worker } from './orders/jobs.ts'
import { demandSameCarrier } from './orders/same-carrier.ts'
import type { House } from './platform/house.ts'

export type Workshop = WithBatches & {
  start(): Promise<void>
  /** Takes no more labels to buy, settles those under way, and lets nobody wait for more. Before the calls are ended. */
  rest(): Promise<void>
  stop(): Promise<void>
}

/** Adds carrier, files and batches to the house. With ROLE=web nothing is bought here but what a buyer of one label waits for. */
export function openWorkshop(house: House): Workshop {
  const { config } = house
  const keeper = batchKeeper()
  const closing = new AbortController()
  const rooms: WithBatches = {
    ...house,
    closing: closing.signal,
    carrier: openCarrier(house),
    batchKeeper: keeper,
    files: openFiles(config),
  }
  const works = config.role !== 'web'
  let worker: Worker | undefined
  return {
    ...rooms,
    async start() {
      await demandFiles(config, house.log)
      await demandSameCarrier(rooms)
      await ensureCatalogue(house, await refreshRawServices(rooms))
      keeper.begin(rooms, () => worker?.wake(), works)
      if (works) worker = startWorker(rooms)
    },
    async rest() {
      closing.abort()
      await worker?.stop()
    },
    stop: () => keeper.end(),
  }
}
