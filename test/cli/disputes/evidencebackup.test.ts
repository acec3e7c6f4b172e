// Defends the evidence of disputes in copies of the database: it goes along, comes back, and is named where it is
// missing or changed; a killed copy leaves nothing half.
// @module-tag full: many programs, some of them killed
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pngOf } from '../../support/pictures.ts'
import { sandbox } from '../../support/sandbox.ts'
import { contract, prepare, shipment } from '../reconcile/invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
const kept = join(box.folder, 'data', 'evidence')
const copy = join(box.folder, 'copy.sqlite')
const beside = `${copy}.evidence`

const ok = async (...words: readonly string[]) => {
  const outcome = await box.shipx(words)
  expect([words, outcome.exit, outcome.stderr]).toEqual([words, 0, expect.any(String)])
  return outcome
}
const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
/** The finished files of a folder, each of which must be what its name says. */
const whole = (folder: string): readonly string[] => {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : []
  for (const name of names) expect(digest(join(folder, name))).toBe(name)
  return names.toSorted()
}
/** A picture of 3 MB that no other number has. */
const picture = (n: number): Buffer => pngOf(1, 1, 2, [['tEXt', Buffer.alloc(3_000_000, `picture ${n}`)]])

beforeAll(async () => {
  await prepare(box, [shipment('1001')], contract())
  const rows = ['awb,order,zone,weight_g,freight,rto,gst,total', '1001,A-1001,c,900,70,0,12.60,82.60']
  const file = box.file('sep.csv', rows.join('\n'))
  await ok('reconcile', 'invoice', file, '--courier', 'Delhivery', '--number', 'SEP', '--date', '2026-09-28', '--yes')
  await ok('disputes', 'create')
  const photos = Array.from({ length: 8 }, (_, n) => box.file(`${n}-length.png`, picture(n)))
  await ok('disputes', 'evidence', '1001', ...photos)
})

test('local backup left the evidence of disputes behind', async () => {
  const names = whole(kept)
  expect(names).toHaveLength(8)
  const { stderr } = await ok('local', 'backup', copy)
  expect(stderr).toContain(`with 8 files of evidence in ${beside}`)
  expect(whole(beside)).toEqual(names)
  expect(statSync(beside).mode & 0o077).toBe(0)
  // The same files again are not written again.
  const at = statSync(join(beside, names[0]!)).mtimeMs
  await ok('local', 'backup', copy, '--force')
  expect(statSync(join(beside, names[0]!)).mtimeMs).toBe(at)

  rmSync(join(box.folder, 'data', 'shipx.sqlite'))
  rmSync(kept, { recursive: true })
  const back = await ok('local', 'restore', copy, '--yes', '--json')
  expect(JSON.parse(back.stdout)).toMatchObject({ data: { evidence: 8, evidence_missing: 0 } })
  expect(whole(kept)).toEqual(names)
  expect((await ok('local', 'check', '--json')).stdout).toContain('"evidence":8')
})

test('evidence that is missing or changed is named by check, and a backup warns of it', async () => {
  const [gone, other] = whole(kept)
  rmSync(join(kept, gone!))
  writeFileSync(join(kept, other!), 'changed')
  const { exit, stderr } = await box.shipx(['local', 'check', '--json'])
  const { error } = JSON.parse(stderr) as { error: { code: string; details: readonly { message: string }[] } }
  expect([exit, error.code]).toEqual([7, 'partial'])
  const said = error.details.map(({ message }) => message).join('\n')
  expect(said).toMatch(new RegExp(`\\d-length.png of 1001 is missing \\(${gone!}\\)`))
  expect(said).toMatch(new RegExp(`\\d-length.png of 1001 is changed \\(${other!}\\)`))
  const warned = await ok('local', 'backup', join(box.folder, 'poor.sqlite'))
  expect(warned.stderr).toContain('2 files of evidence cannot be found whole')
  // A restore puts both right.
  await ok('local', 'restore', copy, '--yes')
  await ok('local', 'check')
})

test('a killed backup leaves nothing half', async () => {
  for (let files = 1; files <= 8; files++) {
    rmSync(copy, { force: true })
    rmSync(beside, { recursive: true, force: true })
    const { child, ended } = box.begin(['local', 'backup', copy])
    // Killed while it writes one of the files, or right after.
    while (child.exitCode === null && !(existsSync(beside) && readdirSync(beside).length >= files)) await wait(1)
    child.kill('SIGKILL')
    await ended
    const there = whole(beside).length
    expect(there).toBeGreaterThanOrEqual(files - 1)
    // The copy comes last.
    if (existsSync(copy)) expect(there).toBe(8)
  }
  rmSync(copy, { force: true })
  await ok('local', 'backup', copy)
  expect(readdirSync(beside)).toHaveLength(8)
})
