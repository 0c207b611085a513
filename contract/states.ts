/**
 * US destinations: the 50 states first, then DC, the territories and military mail; and their usual
 * spellings.
 */
export type State = { code: string; name: string }

const STATE_LIST =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|FL Florida|GA Georgia'
  + '|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts'
  + '|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey'
  + '|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island'
  + '|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia'
  + '|WI Wisconsin|WY Wyoming|DC District of Columbia|PR Puerto Rico|VI U.S. Virgin Islands|GU Guam|AS American Samoa'
  + '|MP Northern Mariana Islands|AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific'

export const STATES: readonly State[] = STATE_LIST.split('|').map(entry => ({
  code: entry.slice(0, 2),
  name: entry.slice(3),
}))

/** Territories that some files name as a country. */
export const TERRITORIES: ReadonlySet<string> = new Set(['PR', 'VI', 'GU', 'AS', 'MP'])

/** Military mail, which takes weeks. */
export const MILITARY_STATES: ReadonlySet<string> = new Set(['AA', 'AE', 'AP'])

/**
 * Spellings besides code and name; only letters are compared, so 'N. Carolina' equals 'n carolina'.
 */
const OTHER_SPELLINGS: Record<string, string> = {
  ALA: 'AL',
  ARIZ: 'AZ',
  ARK: 'AR',
  CALIF: 'CA',
  CAL: 'CA',
  COLO: 'CO',
  CONN: 'CT',
  DEL: 'DE',
  FLA: 'FL',
  ILL: 'IL',
  IND: 'IN',
  KANS: 'KS',
  KAN: 'KS',
  MASS: 'MA',
  MICH: 'MI',
  MINN: 'MN',
  MISS: 'MS',
  MONT: 'MT',
  NEB: 'NE',
  NEBR: 'NE',
  NEV: 'NV',
  NHAMPSHIRE: 'NH',
  NJERSEY: 'NJ',
  NMEXICO: 'NM',
  NMEX: 'NM',
  NYORK: 'NY',
  NCAROLINA: 'NC',
  NCAR: 'NC',
  NDAKOTA: 'ND',
  NDAK: 'ND',
  OKLA: 'OK',
  ORE: 'OR',
  OREG: 'OR',
  PENN: 'PA',
  PENNA: 'PA',
  RISLAND: 'RI',
  SCAROLINA: 'SC',
  SCAR: 'SC',
  SDAKOTA: 'SD',
  SDAK: 'SD',
  TENN: 'TN',
  TEX: 'TX',
  VIRG: 'VA',
  WASH: 'WA',
  WASHINGTONSTATE: 'WA',
  WVIRGINIA: 'WV',
  WVA: 'WV',
  WISC: 'WI',
  WIS: 'WI',
  WYO: 'WY',
  NEWYORKSTATE: 'NY',
  WASHINGTONDC: 'DC',
  DISTOFCOLUMBIA: 'DC',
  VIRGINISLANDS: 'VI',
  USVI: 'VI',
  UNITEDSTATESVIRGINISLANDS: 'VI',
  UNITEDSTATESUSVIRGINISLANDS: 'VI',
  VIRGINISLANDSUS: 'VI',
  CNMI: 'MP',
  COMMONWEALTHOFTHENORTHERNMARIANAISLANDS: 'MP',
  ARMEDFORCESAA: 'AA',
  ARMEDFORCESAE: 'AE',
  ARMEDFORCESAP: 'AP',
  ARMEDFORCESTHEAMERICAS: 'AA',
  ARMEDFORCESAFRICA: 'AE',
  ARMEDFORCESCANADA: 'AE',
  ARMEDFORCESMIDDLEEAST: 'AE',
  ARMEDFORCESEUROPEMIDDLEEASTCANADA: 'AE',
}

const STATE_CODES: ReadonlySet<string> = new Set(STATES.map(state => state.code))
const lettersOnly = (text: string) => text.toUpperCase().replace(/[^A-Z]+/g, '')
const CODE_BY_SPELLING = new Map<string, string>([
  ...Object.entries(OTHER_SPELLINGS),
  ...STATES.map(state => [lettersOnly(state.name), state.code] as const),
  ...STATES.map(state => [state.code, state.code] as const),
])

/** Names as they are usually written, which most files have. */
const CODE_BY_NAME = new Map(STATES.map(({ code, name }) => [name, code]))

/** The two-letter code of a state in any usual spelling, or null. */
export function stateCode(text: string): string | null {
  if (STATE_CODES.has(text)) return text
  const named = CODE_BY_NAME.get(text)
  if (named !== undefined) return named
  // No name is longer; very long pasted text is not searched.
  if (text.length > 60) return null
  return CODE_BY_SPELLING.get(lettersOnly(text)) ?? null
}
