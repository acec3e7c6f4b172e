// The parts of a zip file, unpacked as streams within limits and checked by their sums.
import { crc32 } from 'node:zlib'
import { fromBufferPromise, fromFdPromise, type Entry, type ZipFile } from 'yauzl'
import { count } from '../../domain/count.ts'
import { ShipxError, messageOf } from '../../domain/errors.ts'
import { damaged, type Refuse } from './refusal.ts'

/** An open zip file. Names of parts are compared without regard to case, as Excel does. */
export interface Zip {
  readonly names: readonly string[]
  readonly has: (name: string) => boolean
  /** The bytes of a part. Throws `invalid_file` where it is missing, too large or damaged. */
  readonly part: (name: string) => AsyncGenerator<Buffer>
}

/** Parts at most, and bytes of one part. */
const [mostParts, largestPart] = [10_000, 4 * 2 ** 30]

/** A part over both is a bomb: bytes, and times its packed size. Real sheets stay below 100 times. */
const [largeEnough, mostTimes] = [64 * 2 ** 20, 200]

/** Opens a zip file in memory or by its descriptor, which stays open. Throws `invalid_file`. */
export async function openZip(source: Buffer | number, refuse: Refuse): Promise<Zip> {
  const options = { lazyEntries: true, autoClose: false }
  const parts = new Map<string, Entry>()
  const names: string[] = []
  const zip = await orDamaged(refuse, async () => {
    const opened = await (typeof source === 'number'
      ? fromFdPromise(source, options)
      : fromBufferPromise(source, options))
    if (opened.entryCount > mostParts) throw damaged(refuse, `it has more than ${count(mostParts)} parts`)
    for await (const entry of opened.eachEntry()) {
      const key = keyOf(entry.fileName)
      if (parts.has(key)) throw damaged(refuse, `it has two parts ${entry.fileName}`)
      parts.set(key, entry)
      names.push(entry.fileName)
    }
    return opened
  })
  return {
    names,
    has: (name) => parts.has(keyOf(name)),
    part: async function* (name) {
      const entry = parts.get(keyOf(name))
      if (entry === undefined) throw damaged(refuse, `its part ${name} is missing`)
      refuseHuge(entry, refuse)
      try {
        yield* bytesOf(zip, entry, refuse)
      } catch (error) {
        throw error instanceof ShipxError ? error : damaged(refuse, `${entry.fileName}: ${reasonOf(error)}`)
      }
    },
  }
}

const keyOf = (name: string): string => name.replace(/^\//, '').toLowerCase()

async function orDamaged<T>(refuse: Refuse, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ShipxError ? error : damaged(refuse, reasonOf(error))
  }
}

/** Why a zip file cannot be read, as a part of a sentence. */
function reasonOf(error: unknown): string {
  const message = messageOf(error)
  return /^end of central directory/i.test(message) ? 'its end is missing' : message.replace(/\.$/, '')
}

function refuseHuge({ fileName, compressedSize, uncompressedSize }: Entry, refuse: Refuse): void {
  const bomb = uncompressedSize > largeEnough && uncompressedSize > compressedSize * mostTimes
  if (!bomb && uncompressedSize <= largestPart) return
  const size = `${count(Math.round(uncompressedSize / 2 ** 20))} MB`
  throw refuse(
    `its part ${fileName} has ${size} when it is unpacked, which is too much`,
    'save the sheet that you need as CSV UTF-8',
  )
}

async function* bytesOf(zip: ZipFile, entry: Entry, refuse: Refuse): AsyncGenerator<Buffer> {
  if (entry.isEncrypted())
    throw refuse('it is a workbook with a password', 'open it, remove the password and save it again')
  const stream = await zip.openReadStreamPromise(entry)
  let sum = 0
  // yauzl compares the size; the sum is not its business.
  for await (const chunk of stream) {
    const bytes = chunk as Buffer
    sum = crc32(bytes, sum)
    yield bytes
  }
  if (sum !== entry.crc32) throw damaged(refuse, `the checksum of ${entry.fileName} is wrong`)
}
