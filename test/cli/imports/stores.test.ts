// Defends imports out of files: every row ends where it should, once, however often the import is cut short, on the embedded
// engine and through a deployment; and what is wrong is told and can be put right.
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { namesOf } from '../../../src/cli/imports/uniquenames.ts'
import { failedPath } from '../../../src/cli/imports/failedfile.ts'
import { startCutter } from '../../support/cuttingproxy.ts'
import { deskOf, storesCsv, storesOf, summaryOf, type Desk, type Ran } from '../../support/imports.ts'
import { png, pngOfBytes } from '../../support/pictures.ts'
import { startService, type TestService } from '../../support/service.ts'
import { startStandIn, type StandIn } from '../../support/foreigndeployment.ts'

const unix = process.platform !== 'win32'
const maxLogo = 2_097_152

let desk: Desk
beforeEach(() => {
  desk = deskOf()
  onTestFinished(desk.clear)
})

const counts = (ran: Ran): readonly number[] => {
  const { created, updated, unchanged, skipped, failed } = summaryOf(ran)
  return [created, updated, unchanged, skipped, failed]
}
const importing = ['stores', 'import', 'stores.csv', '--yes', '--json']

describe('names', () => {
  test('the first line of a name is kept, also among a hundred thousand', { tags: ['full'] }, () => {
    const names = namesOf(100_000)
    for (let i = 1; i <= 100_000; i++) expect(names.claim(`store-${i}`, i)).toBe(i)
    for (let i = 1; i <= 100_000; i += 7) expect(names.claim(`store-${i}`, 200_000)).toBe(i)
  })
  test('where failed rows go', () => {
    expect(
      ['stores.csv', 'book.xlsx', 'a/b.tsv', 'b', 'x.failed.csv', 'x.failed.2.csv', '-', 'x.FAILED.CSV'].map((path) =>
        failedPath(path, 'stores'),
      ),
    ).toEqual(
      // prettier-ignore
      ['stores.failed.csv', 'book.failed.csv', 'a/b.failed.csv', 'b.failed.csv', 'x.failed.2.csv', 'x.failed.3.csv', 'stores.failed.csv', 'x.failed.2.csv'],
    )
  })
})

describe('the embedded engine', () => {
  // Two thousand are one part of the listing, whose end is then an empty part.
  test(
    'a listing of two thousand stores does not end with "No stores yet", and completion offers the first ones',
    { tags: ['full'] },
    async () => {
      desk.write('stores.csv', storesCsv(2000))
      expect((await desk.run(importing)).exit).toBe(0)
      const listed = await desk.run(['stores', 'list'])
      expect([listed.exit, listed.stderr]).toEqual([0, expect.not.stringContaining('No stores yet')])
      expect(listed.stdout.trim().split('\n')).toHaveLength(2000)
      const names = listed.stdout.split('\n').map((line) => line.split('\t')[0]!)
      const offered = await desk.run(['complete', '--', 'stores', 'get', names[0]!])
      expect(offered.stdout).toContain(names[0])
      desk.write('more.csv', 'store_name,brand_name\nzz-last,Last\n')
      expect((await desk.run(['stores', 'import', 'more.csv', '--yes', '--json'])).exit).toBe(0)
      expect((await desk.run(['stores', 'list', '--limit', '2001', '--ids'])).stdout.trim().split('\n')).toHaveLength(
        2001,
      )
      await desk.run(['stores', 'list'])
      expect((await desk.run(['complete', '--', 'stores', 'get', names[0]!])).stdout).toContain(names[0])
    },
  )
  test('a file is imported, and again without a change', { tags: ['full'] }, async () => {
    desk.write('stores.csv', storesCsv(3000))
    const first = await desk.run(importing)
    expect([first.exit, counts(first)]).toEqual([0, [3000, 0, 0, 0, 0]])
    expect(desk.stores()).toEqual(storesOf(3000))
    const again = await desk.run(importing)
    expect([again.exit, counts(again)]).toEqual([0, [0, 0, 3000, 0, 0]])
    expect(readdirSync(desk.folder).toSorted()).toEqual(['data', 'stores.csv'])
    expect(existsSync(desk.path('data/imports'))).toBe(false)
  })

  test('without a yes nothing is done', async () => {
    desk.write('stores.csv', storesCsv(3))
    const ran = await desk.run(['stores', 'import', 'stores.csv'])
    expect([ran.exit, desk.stores(), desk.there('stores.failed.csv')]).toEqual([8, [], false])
    expect(ran.stderr).toContain('this needs a yes: create 3 stores on this computer')
  })

  test('a store without a brand was created without a word', async () => {
    desk.write('stores.csv', 'store_name,brand_name\nacme,Acme\nneem,\ntulsi,  \n')
    const { stderr } = await desk.run(['stores', 'import', 'stores.csv', '--dry-run'])
    expect(stderr).toContain("2 stores have no brand_name: customers' messages go out without a brand.")
  })

  test('of a row with a bad name and a missing logo only the name was told', async () => {
    desk.write('stores.csv', 'store_name,brand_name,logo\nbad name,Acme,missing.png\n')
    const { stderr } = await desk.run(['stores', 'import', 'stores.csv', '--dry-run'])
    expect(stderr).toMatch(/store_name .*; logo missing\.png: /u)
  })

  test('a dry run counts and changes nothing', { tags: ['full'] }, async () => {
    desk.write('stores.csv', `${storesCsv(3)}bad name,x,\n`)
    const ran = await desk.run(['stores', 'import', 'stores.csv', '--dry-run'])
    expect([ran.exit, JSON.parse(ran.stdout)]).toEqual([
      7,
      { dry_run: { import: 'stores', rows: 4, create: 3, unchanged: 0, conflict: 0, bad: 1 } },
    ])
    expect([desk.there('stores.failed.csv'), desk.there('data/shipx.sqlite')]).toEqual([false, false])
  })

  test('bad rows do not stop good ones; the failed file is put right and imported', async () => {
    desk.write(
      'stores.csv',
      'Ref,Store Name,Brand Name\n1,good-1,"=HYPERLINK(1)"\n2,bad name,x\n3,good-1,y\n4,good-2,\n5,\n6,good-3,a,b\n',
    )
    const ran = await desk.run(importing)
    expect([ran.exit, counts(ran)]).toEqual([7, [2, 0, 0, 0, 4]])
    expect(desk.stores()).toEqual([
      ['good-1', '=HYPERLINK(1)'],
      ['good-2', null],
    ])
    const failed = desk.read('stores.failed.csv')
    expect(failed.split('\n')[0]).toBe('Ref,Store Name,Brand Name,shipx_row,shipx_error,shipx_code')
    expect(failed).toContain('3,good-1,y,4,good-1 is in line 2 already,invalid_input')
    desk.write(
      'stores.failed.csv',
      failed
        .replace('bad name', 'now-good')
        .replace('3,good-1', '3,other-1')
        .replace(/^5,.*\n6,.*\n/m, ''),
    )
    const fixed = await desk.run(['stores', 'import', 'stores.failed.csv', '--yes', '--json'])
    expect([fixed.exit, counts(fixed)]).toEqual([0, [2, 0, 0, 0, 0]])
    expect(desk.stores().map(([name]) => name)).toEqual(['good-1', 'good-2', 'now-good', 'other-1'])
  })

  test('nothing good is exit 2; a header that is wrong too, and nothing else happens', { tags: ['full'] }, async () => {
    desk.write('stores.csv', 'store_name\nbad name\n')
    expect((await desk.run(importing)).exit).toBe(2)
    desk.write('stores.csv', 'Shop,brand\na,b\n')
    const ran = await desk.run(importing)
    expect([ran.exit, ran.stdout]).toEqual([2, ''])
    expect(ran.stderr).toContain('the header lacks store_name')
    const mapped = await desk.run([...importing, '--map', 'Shop=store_name'])
    expect(counts(mapped)).toEqual([1, 0, 0, 0, 0])
  })

  test(
    'a header of 300,000 characters is cut where it is told of, and of many headers the rest is counted',
    { tags: ['full'] },
    async () => {
      const others = [`long${'x'.repeat(300_000)}`, ...Array.from({ length: 31 }, (_, n) => `other ${n + 1}`)]
      const cells = others.map(() => '').join(',')
      desk.write('stores.csv', `store_name,${others.join(',')}\nacme,${cells}\n`)
      const told = await desk.run([...importing.filter((arg) => arg !== '--json'), '--dry-run'])
      expect([told.exit, told.stderr]).toEqual([
        0,
        expect.stringMatching(/Columns that are not used: longx{55}…, other 1, .*, other 19 … and 12 more\n/),
      ])
      for (const [header, map] of [
        [`brand,${others.join(',')}`, 'brand=brand_name'],
        [`store_name,${others.join(',')}`, `${'y'.repeat(300)}=brand_name`],
      ] as const) {
        desk.write('stores.csv', `${header}\nacme,${cells}\n`)
        const refused = await desk.run([...importing, '--map', map])
        expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('other 18 … and 13 more')])
        expect(refused.stderr.length).toBeLessThan(2000)
      }
    },
  )

  test('a store that differs: failed, skipped or updated', { tags: ['full'] }, async () => {
    desk.write('stores.csv', 'store_name,brand_name\na,One\nb,Two\n')
    await desk.run(importing)
    desk.write('stores.csv', 'store_name,brand_name\na,Other\nb,\nc,\n')
    const failed = await desk.run(importing)
    expect([failed.exit, counts(failed)]).toEqual([7, [1, 0, 0, 0, 2]])
    expect(desk.read('stores.failed.csv')).toContain(
      'a,Other,2,"a store with this name is there, with another brand or logo: --on-conflict update changes it",store_name_taken',
    )
    const skipped = await desk.run([...importing, '--on-conflict', 'skip'])
    expect([skipped.exit, counts(skipped), desk.there('stores.failed.csv')]).toEqual([0, [0, 0, 1, 2, 0], false])
    const updated = await desk.run([...importing, '--on-conflict', 'update'])
    expect([updated.exit, counts(updated)]).toEqual([0, [0, 2, 1, 0, 0]])
    expect(desk.stores()).toEqual([
      ['a', 'Other'],
      ['b', null],
      ['c', null],
    ])
    // A file that says nothing of brands leaves them alone.
    desk.write('stores.csv', 'store_name\na\nb\n')
    expect(counts(await desk.run(importing))).toEqual([0, 0, 2, 0, 0])
  })

  test('a disconnected store occupies its name', { tags: ['full'] }, async () => {
    desk.write('stores.csv', 'store_name,brand_name\na,One\n')
    await desk.run(importing)
    await desk.run(['stores', 'disconnect', 'a', '--yes'])
    const ran = await desk.run(importing)
    expect([ran.exit, counts(ran)]).toEqual([2, [0, 0, 0, 0, 1]])
    expect(desk.read('stores.failed.csv')).toContain('a disconnected store has this name: shipx stores connect a')
  })

  test(
    'logos: seen from the file, checked before anything is sent, compared byte for byte',
    { tags: ['full'] },
    async () => {
      mkdirSync(desk.path('in'))
      desk.write('in/a.png', png())
      desk.write('in/large.png', pngOfBytes(maxLogo + 1))
      desk.write('in/full.png', pngOfBytes(maxLogo))
      desk.write('in/text.png', 'no picture')
      desk.write('in/stores.csv', 'store_name,logo\na,a.png\nb,large.png\nc,text.png\nd,none.png\ne,full.png\nf,.\n')
      const args = ['stores', 'import', 'in/stores.csv', '--yes', '--json']
      const ran = await desk.run(args)
      expect([ran.exit, counts(ran)]).toEqual([7, [2, 0, 0, 0, 4]])
      const failed = desk.read('in/stores.failed.csv').split('\n').slice(1, -1)
      expect(failed.map((line) => line.split(',').at(-1))).toEqual([
        'invalid_input',
        'logo_type',
        'invalid_input',
        'invalid_input',
      ])
      expect(counts(await desk.run(args))).toEqual([0, 0, 2, 0, 4])
      desk.write('in/a.png', png(9, 9))
      expect(counts(await desk.run(args))).toEqual([0, 0, 1, 0, 5])
      expect(counts(await desk.run([...args, '--on-conflict', 'update']))).toEqual([0, 1, 1, 0, 4])
    },
  )

  test('standard input, also a pipe that is named like a file', { tags: ['full'] }, async () => {
    const piped = await desk.run(['stores', 'import', '-', '--yes', '--json'], { input: `${storesCsv(2)}bad name,,\n` })
    expect([piped.exit, counts(piped), summaryOf(piped).failed_file]).toEqual([7, [2, 0, 0, 0, 1], 'stores.failed.csv'])
    if (unix) {
      execFileSync('bash', ['-c', 'mkfifo "$0"', desk.path('pipe')])
      const [named] = await Promise.all([
        desk.run(['stores', 'import', 'pipe', '--yes', '--json']),
        writeFile(desk.path('pipe'), storesCsv(3)),
      ])
      expect(counts(named)).toEqual([1, 0, 2, 0, 0])
    }
    expect(readdirSync(desk.path('data/imports'))).toEqual([])
  })

  test(
    'a file that is not ours is not replaced; edits of the last failed file are kept',
    { tags: ['full'] },
    async () => {
      desk.write('stores.csv', 'store_name\nbad name\nb\n')
      desk.write('stores.failed.csv', 'mine\n')
      const refused = await desk.run(importing)
      expect([refused.exit, desk.stores(), desk.read('stores.failed.csv')]).toEqual([2, [], 'mine\n'])
      await desk.run([...importing, '--force'])
      const written = desk.read('stores.failed.csv')
      desk.write('stores.failed.csv', written.replace('bad name', 'better'))
      const { stderr } = await desk.run(['stores', 'import', 'stores.csv', '--yes'])
      const kept = ['stores.failed.old.csv', 'stores.failed.old.2.csv']
      expect([desk.read('stores.failed.csv'), ...kept.map((name) => desk.read(name))]).toEqual([
        written,
        'mine\n',
        written.replace('bad name', 'better'),
      ])
      expect(stderr.split('\n').slice(-3)).toEqual([
        '  Failed rows with reasons: stores.failed.csv (correct them there and import that file; its shipx_ columns may stay)',
        '  The failed rows of an earlier run are kept: stores.failed.old.2.csv',
        '',
      ])
      // A run without failures says which file it took away.
      desk.write('stores.csv', 'store_name\nb\n')
      const whole = await desk.run(['stores', 'import', 'stores.csv', '--yes'])
      expect([whole.exit, desk.there('stores.failed.csv'), ...kept.map((name) => desk.there(name))]).toEqual([
        0,
        false,
        true,
        true,
      ])
      expect(whole.stderr).toContain('Removed, since no row failed this time: stores.failed.csv')
    },
  )

  test('a run without failures removed the failed file that its user was correcting, with --json in silence', async () => {
    desk.write('s.csv', 'store_name\nbad name\nb\n')
    await desk.run(['stores', 'import', 's.csv', '--yes'])
    const corrected = desk.read('s.failed.csv').replace('bad name', 'better')
    desk.write('s.failed.csv', corrected)
    desk.write('s.csv', 'store_name\nb\n')
    const run = await desk.run(['stores', 'import', 's.csv', '--yes', '--json'])
    expect([run.exit, desk.there('s.failed.csv'), desk.read('s.failed.old.csv')]).toEqual([0, false, corrected])
    expect(run.stderr).toContain('The failed rows of an earlier run are kept: s.failed.old.csv')
    // One that nobody changed is removed, and that is said too.
    desk.write('s.csv', 'store_name\nbad name\n')
    await desk.run(['stores', 'import', 's.csv', '--yes'])
    desk.write('s.csv', 'store_name\nb\n')
    const removed = await desk.run(['stores', 'import', 's.csv', '--yes', '--json'])
    expect([desk.there('s.failed.csv'), removed.stderr]).toEqual([
      false,
      expect.stringContaining('Removed, since no row failed this time: s.failed.csv'),
    ])
  })

  test('a third run replaced the kept corrections by the failed rows of the second, which nobody had changed', async () => {
    const importOf = (...names: readonly string[]) => {
      desk.write('s.csv', `store_name\n${names.join('\n')}\n`)
      return desk.run(['stores', 'import', 's.csv', '--yes'])
    }
    await importOf('bad name')
    const corrected = desk.read('s.failed.csv').replace('bad name', 'better')
    desk.write('s.failed.csv', corrected)
    await importOf('bad name', 'a b')
    const third = await importOf('c d')
    expect([desk.read('s.failed.old.csv'), desk.there('s.failed.old.2.csv')]).toEqual([corrected, false])
    expect(desk.read('s.failed.csv')).toContain('c d')
    expect(third.stderr).not.toContain('are kept')
    // The corrections of a later run do not replace those of an earlier one either.
    const later = desk.read('s.failed.csv').replace('c d', 'good')
    desk.write('s.failed.csv', later)
    const fourth = await importOf('e f')
    expect([desk.read('s.failed.old.csv'), desk.read('s.failed.old.2.csv')]).toEqual([corrected, later])
    expect(fourth.stderr).toContain('The failed rows of an earlier run are kept: s.failed.old.2.csv')
  })

  test('an export imports again unchanged, formulas, quotes and logos too', { tags: ['full'] }, async () => {
    const brands = ['=1+1', "'=x", '"q"', 'a,b;c', '-x', '@y', 'अक्मे', '+5', 'a  b', '007']
    desk.write('logo.png', png())
    desk.write(
      'stores.csv',
      `store_name,brand_name,logo\n${brands.map((brand, i) => `s${i},"${brand.replaceAll('"', '""')}",${i % 3 === 0 ? 'logo.png' : ''}\n`).join('')}-minus,,\n-5,,\n`,
    )
    // Without the guard that an import takes off, what was typed as '=x would come in as =x.
    desk.write('stores.csv', desk.read('stores.csv').replace("'=x", "''=x"))
    expect((await desk.run(importing)).exit).toBe(0)
    const before = desk.stores()
    expect(
      before
        .map(([, brand]) => brand)
        .filter((brand) => brand !== null)
        .toSorted(),
    ).toEqual(brands.toSorted())
    expect((await desk.run(['stores', 'export', '--out', 'all.csv', '--logos', 'logos'])).exit).toBe(0)
    const unchanged = await desk.run(['stores', 'import', 'all.csv', '--yes', '--json'])
    expect(counts(unchanged)).toEqual([0, 0, 12, 0, 0])
    const other = await desk.run(['stores', 'import', 'all.csv', '--yes', '--json', '--db', 'other.sqlite'])
    expect(counts(other)).toEqual([12, 0, 0, 0, 0])
    const again = await desk.run(['stores', 'export', '--db', 'other.sqlite'])
    expect(again.stdout.replace(/logos\/.*/g, '')).toBe(desk.read('all.csv').replace(/logos\/.*/g, ''))
  })
})

describe('cut short', { tags: ['full'] }, () => {
  test.skipIf(!unix)('kill -9 at random moments, and the same command again', async () => {
    desk.write('stores.csv', storesCsv(20_000))
    let killed = 0
    for (let round = 0; round < 12; round++) {
      const ran = await desk.run(importing, { kill: { signal: 'SIGKILL', after: 150 + ((round * 137) % 900) } })
      if (ran.exit === 'SIGKILL') killed++
      if (!desk.there('data/shipx.sqlite')) continue
      // What is there is a beginning of the file, whole transactions of it.
      const there = desk.stores()
      expect(there).toEqual(storesOf(there.length))
    }
    const last = await desk.run(importing)
    expect([last.exit, desk.stores(), desk.sound()]).toEqual([0, storesOf(20_000), 'ok'])
    expect(killed).toBeGreaterThan(3)
  })

  test.skipIf(!unix)('Ctrl-C says how to go on and exits 130', async () => {
    desk.write('stores.csv', storesCsv(60_000))
    const ran = await desk.run(['stores', 'import', 'stores.csv', '--yes'], {
      killAt: { signal: 'SIGINT', text: 'Read stores.csv' },
    })
    expect(ran.exit).toBe(130)
    expect(ran.stderr).toMatch(/not handled\n→ run the same command again to go on/)
    const there = desk.stores().length
    const again = await desk.run(importing)
    expect(counts(again)).toEqual([60_000 - there, 0, there, 0, 0])
    expect(readdirSync(desk.folder).toSorted()).toEqual(['data', 'stores.csv'])
  })

  test('property: any rows, any cut, one more run is exactly the file', async () => {
    const name = fc.stringMatching(/^[a-z0-9-]{1,6}$/)
    const brand = fc.oneof(fc.constant(''), fc.stringMatching(/^[=+@'",; a-z]{1,8}$/))
    const cells = fc.array(fc.tuple(name, brand), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(cells, fc.nat(400), async (rows, after) => {
        const here = deskOf()
        try {
          const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
          // What stands as '=x in a file is =x.
          here.write('stores.csv', `store_name,brand_name\n${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`)
          await here.run(importing, { kill: { signal: 'SIGKILL', after } })
          const ran = await here.run(importing)
          const wanted = new Map<string, string | null>()
          const plain = (text: string): string => text.replace(/^'('*[=+\-@])/, '$1')
          for (const [store, title] of rows) {
            const key = plain(store)
            if (!wanted.has(key)) wanted.set(key, plain(title).trim() || null)
          }
          expect(here.stores()).toEqual([...wanted].toSorted(([a], [b]) => (a < b ? -1 : 1)))
          expect(summaryOf(ran).failed).toBe(rows.length - wanted.size)
        } finally {
          here.clear()
        }
      }),
      { numRuns: 12, seed: 5 },
    )
  })
})

describe('a deployment of ours', () => {
  let service: TestService
  let env: Record<string, string>
  beforeEach(async () => {
    service = await startService({ readers: 0 })
    onTestFinished(service.close)
    env = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
  })
  const names = async (): Promise<readonly string[]> =>
    (await service.engine.service.listStores({})).data.map((store) => store.store_name)
  const expected = (count: number): readonly string[] => storesOf(count).map(([name]) => name)

  test('a file with logos is imported, and again without a change', { tags: ['full'] }, async () => {
    desk.write('a.png', png())
    desk.write('stores.csv', `store_name,brand_name,logo\na,One,a.png\nb,Two,\nc,,a.png\nbad name,,\n`)
    const ran = await desk.run(importing, { env })
    expect([ran.exit, counts(ran)]).toEqual([7, [3, 0, 0, 0, 1]])
    expect(counts(await desk.run(importing, { env }))).toEqual([0, 0, 3, 0, 1])
    desk.write('stores.csv', `store_name,brand_name,logo\na,Other,a.png\nb,Two,a.png\n`)
    expect(counts(await desk.run(importing, { env }))).toEqual([0, 0, 0, 0, 2])
    const updated = await desk.run([...importing, '--on-conflict', 'update'], { env })
    expect([updated.exit, counts(updated)]).toEqual([0, [0, 2, 0, 0, 0]])
    const { data } = await service.engine.service.listStores({})
    expect(data.map(({ store_name, brand_name, logo_url }) => [store_name, brand_name, logo_url != null])).toEqual([
      ['a', 'Other', true],
      ['b', 'Two', true],
      ['c', null, true],
    ])
    const exported = await desk.run(['stores', 'export'], { env })
    expect(exported.stdout).toBe('store_name,brand_name,logo\na,Other,\nb,Two,\nc,,\n')
  })

  test.skipIf(!unix)('kill -9 at random moments, also with the journal gone', { tags: ['full'] }, async () => {
    desk.write('stores.csv', storesCsv(1500))
    let killed = 0
    for (let round = 0; round < 8; round++) {
      const ran = await desk.run(importing, { env, kill: { signal: 'SIGKILL', after: 250 + ((round * 211) % 700) } })
      if (ran.exit === 'SIGKILL') killed++
      if (round % 3 === 2 && desk.there('data/imports'))
        for (const name of readdirSync(desk.path('data/imports'))) desk.write(`data/imports/${name}`, '')
    }
    const last = await desk.run(importing, { env })
    expect(last.exit).toBe(0)
    expect(await names()).toEqual(expected(1500))
    expect(killed).toBeGreaterThan(2)
  })

  test(
    'large logos, each of which counts as many requests, are imported through the rate limit',
    { tags: ['full'] },
    async () => {
      // A machine that takes three seconds for each of them would never be refused.
      const slow = await startService({ readers: 0, rateLimit: 10 })
      onTestFinished(slow.close)
      desk.write('a.png', pngOfBytes(2_000_000))
      desk.write('stores.csv', `store_name,logo\n${Array.from({ length: 6 }, (_, n) => `large-${n},a.png\n`).join('')}`)
      const ran = await desk.run(importing, { env: { SHIPX_BASE_URL: slow.url, SHIPX_API_KEY: slow.key } })
      expect([ran.exit, ran.stderr, counts(ran)]).toEqual([0, expect.any(String), [6, 0, 0, 0, 0]])
      // Each of them is 31: nobody would have waited for six.
      expect(slow.log.some((entry) => entry.level === 'info' && entry.status === 429)).toBe(true)
    },
  )

  test('through a proxy that cuts one connection in five', { tags: ['full'] }, async () => {
    const cutter = await startCutter(service.url, { every: 5, seed: 3 })
    onTestFinished(cutter.close)
    desk.write('stores.csv', storesCsv(300))
    let ran = await desk.run(importing, { env: { ...env, SHIPX_BASE_URL: cutter.url } })
    for (let n = 0; n < 5 && ran.exit !== 0; n++)
      ran = await desk.run(importing, { env: { ...env, SHIPX_BASE_URL: cutter.url } })
    expect(ran.exit).toBe(0)
    expect(await names()).toEqual(expected(300))
    expect(cutter.cuts().answered + cutter.cuts().begun).toBeGreaterThan(20)
  })

  test('Ctrl-C finishes what is under way; --max-rps holds', { tags: ['full'] }, async () => {
    desk.write('stores.csv', storesCsv(200))
    const began = performance.now()
    const ran = await desk.run(['stores', 'import', 'stores.csv', '--yes', '--max-rps', '20'], {
      env,
      kill: { signal: 'SIGINT', after: 2000 },
    })
    const took = performance.now() - began
    expect(ran.exit).toBe(130)
    const there = await names()
    expect(there.length).toBeLessThan(60)
    expect(there).toEqual(expected(there.length))
    expect(took).toBeLessThan(6000)
    const again = await desk.run(importing, { env })
    expect(counts(again)).toEqual([200 - there.length, 0, there.length, 0, 0])
  })

  test('a key that is refused ends it at once', { tags: ['full'] }, async () => {
    desk.write('stores.csv', storesCsv(50))
    const { key } = await service.keyFor('default', { read_only: true })
    const ran = await desk.run(importing, { env: { ...env, SHIPX_API_KEY: key } })
    expect([ran.exit, ran.stdout, (await names()).length]).toEqual([4, '', 0])
    expect(service.log.filter((entry) => 'method' in entry && entry.method === 'POST').length).toBeLessThan(10)
  })

  test(
    'the same request of an earlier run is not done twice, and an old answer does not count for a store that is gone',
    { tags: ['full'] },
    async () => {
      desk.write('stores.csv', storesCsv(2))
      await desk.run(importing, { env })
      const { data } = await service.engine.service.listStores({})
      await service.engine.service.updateStore({ id: data[0]!.id, store_name: 'renamed' })
      const ran = await desk.run(importing, { env })
      expect(counts(ran)).toEqual([1, 0, 1, 0, 0])
      expect(await names()).toEqual(['acme-00000', 'acme-00001', 'renamed'])
    },
  )
})

describe('another deployment', { tags: ['full'] }, () => {
  let remote: StandIn
  let env: Record<string, string>
  beforeAll(async () => {
    remote = await startStandIn({ shipments: 1, returns: 1 })
    env = { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: remote.key }
  })
  afterAll(() => remote.close())

  test('answers that are lost, limits, and refusals: each store once', async () => {
    let posts = 0
    // Counted by POSTs alone: how many looks lie between them depends on the machine.
    remote.switches.trouble = ({ method }) => {
      if (method !== 'POST') return undefined
      posts++
      return posts % 5 === 0 ? { kind: 'lost' } : posts % 11 === 0 ? { kind: 'limited', retry_after: '1' } : undefined
    }
    desk.write('stores.csv', storesCsv(36))
    let ran = await desk.run(importing, { env })
    for (let n = 0; n < 4 && ran.exit !== 0; n++) ran = await desk.run(importing, { env })
    remote.switches.trouble = () => undefined
    expect(ran.exit).toBe(0)
    const made = remote
      .stores()
      .filter(({ store_name }) => store_name.startsWith('acme-'))
      .map(({ store_name }) => store_name)
    expect(made.toSorted()).toEqual(storesOf(36).map(([name]) => name))
    expect(posts).toBeGreaterThan(36)
  })

  test('a service that is away ends it, with exit 6', async () => {
    remote.switches.trouble = ({ method }) => (method === 'POST' ? { kind: 'html', status: 502 } : undefined)
    desk.write('stores.csv', storesCsv(200, 500))
    const ran = await desk.run(['stores', 'import', 'stores.csv', '--yes', '--concurrency', '30'], { env })
    remote.switches.trouble = () => undefined
    expect(ran.exit).toBe(6)
    expect(ran.stderr).toContain('no answer from the service')
    expect(ran.stderr).toContain('Carry on: run the same command again')
  })

  test('what the journal holds shows neither the key nor a name', async () => {
    desk.write('stores.csv', storesCsv(3, 900))
    await desk.run(importing, { env })
    const [name] = readdirSync(desk.path('data/imports'))
    expect(desk.read(`data/imports/${name!}`)).toMatch(/^(\d+[?+]\n){6}$/)
    expect(name).not.toContain(createHash('sha256').update(remote.key).digest('hex').slice(0, 10))
  })
})
