import { expect, test } from 'vitest'
import { Trouble } from '#server/platform/trouble.ts'
import { atPlace, give } from '#tests/model/workplace.ts'
import type { Place } from '#tests/model/workplace.ts'
import { order } from '#tests/model/batch-steps.ts'
import { startWorker } from './jobs.ts'
import { demandSameCarrier } from './same-carrier.ts'

const startWith = ({ house }: Place, name: string): Promise<void> =>
  demandSameCarrier({ ...house, carrier: { ...house.carrier, name } })

test('nobody changes the carrier while it is asked what became of labels; afterwards it may be changed', async () => {
  await atPlace({}, async place => {
    await startWith(place, 'shipengine')
    await give(place, place.people[0], 100_000)
    await order(place, place.people[0], ['', 'SANDBOX LOST'])
    place.trouble.carrierIsSilent = true
    await startWorker(place.house).stop()
    await expect(startWith(place, 'usps')).rejects.toThrow(Trouble)
    await expect(startWith(place, 'usps')).rejects.toThrow(/2 labels are .* with CARRIER=shipengine, .* Start with CARRIER=shipengine/)
    await expect(startWith(place, 'shipengine')).resolves.toBeUndefined()
    await place.database.pool.query(`update shipment_order set state = 'purchased', tracking_number = '98' where state = 'unknown'`)
    await expect(startWith(place, 'usps')).resolves.toBeUndefined()
    await expect(startWith(place, 'shipengine')).resolves.toBeUndefined()
  })
})
