import { deleteAddress, listAddresses, saveAddress, updateAddress } from '#contract/addresses.ts'
import type { House } from '#server/platform/house.ts'
import type { Door } from '#server/platform/http.ts'
import { addressesOf, change, remove, save } from './service.ts'
import type { Address } from './store.ts'

export function addressRoutes(door: Door, house: House): void {
  door.answer(listAddresses, async ({ params }) => ({
    savedAddress: (await addressesOf(house.database.db, Number(params.userId))).map(addressWire),
  }))

  door.answer(saveAddress, async ({ params, body }) => {
    const address = await save(house, Number(params.userId), body.formData)
    return { ok: true, message: 'Address added successfully!', address: addressWire(address) }
  })

  door.answer(updateAddress, async ({ params, body }) => {
    const address = await change(
      house,
      Number(params.userId),
      Number(params.addressRecordId),
      body.formData,
    )
    return { ok: true, message: 'Address updated successfully!', address: addressWire(address) }
  })

  door.answer(deleteAddress, async ({ params, body }) => {
    await remove(house, Number(params.userId), Number(body.id))
    return { ok: true, message: 'Address deleted successfully!', id: body.id }
  })
}

const addressWire = ({ id, ...form }: Address) => ({ _id: String(id), ...form })
