/** Made-up orders of a shop, the same for each run: what sellers' files are written from. */

/** What became of an order. Only `ship` gets a label. */
export type Fate = 'ship' | 'cancelled' | 'shipped' | 'refunded' | 'unpaid' | 'pickup'

export type SellerOrder = {
  /** From 0. */
  n: number
  first: string
  last: string
  company: string
  phone: string
  street1: string
  street2: string
  city: string
  /** Two letters. */
  state: string
  stateName: string
  zip: string
  items: { sku: string; name: string; quantity: number }[]
  fate: Fate
}

const FIRST = ['Ana', 'Zoë', 'José', 'Mina', 'Kofi', 'Lars', "D'Arcy", 'Imani']
const LAST = ['Lee', 'Núñez', 'Osei', 'O’Neil', 'Dalgaard', 'Smith Jr.', 'Falk', 'de la Cruz']
const STREETS = [
  '9 Oak St',
  '12 "B" Mill Rd',
  '4 Elm Ave, Rear',
  '77 County Road 12',
  'PO Box 5870',
]
const PLACES = [
  ['Portland', 'ME', 'Maine', '04101'],
  ['Newark', 'NJ', 'New Jersey', '07102'],
  ['San Juan', 'PR', 'Puerto Rico', '00901'],
  ['Austin', 'TX', 'Texas', '78701'],
  ['Seattle', 'WA', 'Washington', '98101-2031'],
  ['Honolulu', 'HI', 'Hawaii', '96813'],
  ['Miami', 'FL', 'Florida', '33101'],
] as const
const SKUS = ['MUG', 'TEE-S', 'TEE-L', '00417', 'BOX 9"']
const FATES: readonly Fate[] = ['cancelled', 'shipped', 'refunded', 'unpaid', 'pickup']

/** Numbers from 0 to 1 in an order that depends on the seed alone (a linear congruential generator). */
function seededNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A third of the orders have several items, one in eight is not to be shipped. */
export function sellerOrders(count: number, seed = 7): SellerOrder[] {
  const next = seededNumbers(seed)
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  return Array.from({ length: count }, (_, n) => {
    const [city, state, stateName, zip] = one(PLACES)
    const items = Array.from({ length: next() < 0.33 ? 2 + Math.floor(next() * 2) : 1 }, () => {
      const sku = one(SKUS)
      return { sku, name: `The ${sku}, new`, quantity: 1 + Math.floor(next() * 3) }
    })
    return {
      n,
      first: one(FIRST),
      last: one(LAST),
      company: next() < 0.2 ? 'Lee, Osei & Co' : '',
      phone: next() < 0.7 ? `+1 503-555-01${String(n % 100).padStart(2, '0')}` : '',
      street1: one(STREETS),
      street2: next() < 0.3 ? `Apt ${n}` : '',
      city,
      state,
      stateName,
      zip,
      items,
      fate: n % 8 === 3 ? one(FATES) : 'ship',
    }
  })
}
