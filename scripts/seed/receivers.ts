/** Invented receivers in real towns, each calculated from a number. */

const GIVEN_NAMES = [
  'June',
  'Mabel',
  'Otto',
  'Silas',
  'Hadley',
  'Leif',
  'Opal',
  'Gideon',
  'Wanda',
  'Ines',
  'José',
  'Ruth',
  'Amos',
  'Clara',
  'Felix',
  'Greta',
  'Hugo',
  'Iris',
  'Jonas',
  'Karla',
  'Lena',
  'Milo',
  'Nora',
  'Oscar',
  'Paula',
  'Quinn',
  'Rosa',
  'Simon',
  'Tilda',
  'Vera',
]
const SURNAME_STARTS = [
  'Bar',
  'Cal',
  'Dun',
  'El',
  'Far',
  'Gar',
  'Hal',
  'Kes',
  'Lin',
  'Mor',
  'Nor',
  'Os',
  'Pen',
  'Riv',
  'Sel',
  'Tor',
  'Wen',
  'Yar',
]
const SURNAME_MIDDLES = ['lo', 'de', 'mi', 'na', 'ro', 'sa', 'te', 'va', 'wi', 'er']
const SURNAME_ENDS = [
  'wick',
  'ford',
  'ton',
  'by',
  'man',
  'sen',
  'stad',
  'quist',
  'mond',
  'ley',
  'worth',
  'a',
]

/** The first are the most frequent. */
const TOWNS = [
  'Fresno|CA|93701 Austin|TX|78701 Albany|NY|12207 Tampa|FL|33602 San Diego|CA|92101',
  'Peoria|IL|61602 Akron|OH|44308 Houston|TX|77002 Erie|PA|16501 Macon|GA|31201',
  'Raleigh|NC|27601 Brooklyn|NY|11201 Flint|MI|48502 Trenton|NJ|08608 Norfolk|VA|23510',
  'Tacoma|WA|98402 Tucson|AZ|85701 Boston|MA|02108 Memphis|TN|38103 Gary|IN|46402',
  'Joplin|MO|64801 Madison|WI|53703 Boulder|CO|80302 Duluth|MN|55802 Salem|OR|97301',
  'Ponce|PR|00730 Bangor|ME|04401 Reno|NV|89501 Boise|ID|83702 Tulsa|OK|74103',
].flatMap(line => line.split(/(?<=\d) /))

const STREETS = ['Hillcrest Blvd', 'Park Pl', 'Old Post Rd', 'Riverside Dr', 'Mill St', 'Cedar Ln']

/** Numbers of neighbors are far from each other, and small ones more frequent than large ones. */
const SCATTER = { factor: 618_034, modulus: 1_000_003, power: 1.6 }

const pickFrom = (list: readonly string[], n: string): string =>
  `(array[${list.map(one => `'${one}'`).join(',')}])[1 + (${n}) % ${list.length}]`

/** The name of a person for a number: about 60,000 different ones. */
export const personNameSql = (n: string): string =>
  [
    pickFrom(GIVEN_NAMES, `${n} * 31`),
    `' '`,
    pickFrom(SURNAME_STARTS, n),
    pickFrom(SURNAME_MIDDLES, `${n} / 7`),
    pickFrom(SURNAME_ENDS, `${n} / 3`),
  ].join(' || ')

/** 'City|ST|zip' for a number. */
export const townSql = (n: string): string =>
  pickFrom(
    TOWNS,
    `floor(${TOWNS.length} * power((${n} * ${SCATTER.factor} % ${SCATTER.modulus}) / ${SCATTER.modulus}.0::float8, ${SCATTER.power}))::int`,
  )

export const streetSql = (n: string): string => pickFrom(STREETS, `${n} / 2`)

/** The same in TypeScript. `n`: from 0. */
export function receiverFor(n: number) {
  const at = (list: readonly string[], place: number): string =>
    list[Math.floor(place) % list.length]!
  const scattered = ((n * SCATTER.factor) % SCATTER.modulus) / SCATTER.modulus
  const town = at(TOWNS, TOWNS.length * scattered ** SCATTER.power)
  const [city, state, zip] = town.split('|') as [string, string, string]
  const surname = at(SURNAME_STARTS, n) + at(SURNAME_MIDDLES, n / 7) + at(SURNAME_ENDS, n / 3)
  return {
    name: `${at(GIVEN_NAMES, n * 31)} ${surname}`,
    street: `${(n * 7919) % 9901} ${at(STREETS, n / 2)}`,
    city,
    state,
    zip,
  }
}
