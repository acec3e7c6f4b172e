// Defends changes of files that another program has open, and what Windows does with signals, as far as Linux can show.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { locked } from '../../../src/cli/config/lock.ts'
import { whenFree } from '../../../src/cli/files/openelsewhere.ts'
import { openWhole, writeWhole } from '../../../src/cli/files/userfiles.ts'
import { systemIo } from '../../../src/cli/terminal/io.ts'
import { sandbox } from '../../support/sandbox.ts'

const box = sandbox()
const { renameSync, rmSync } = fs
const { platform } = process

afterEach(() => {
  Object.assign(fs, { renameSync, rmSync })
  syncBuiltinESMExports()
  Object.defineProperty(process, 'platform', { value: platform })
})
afterAll(() => box.remove())

const refusal = (code: string): Error => Object.assign(new Error(`${code}: refused`), { code })

/** Work that the system refuses a number of times. */
function refused(code: string, times: number) {
  let left = times
  return vi.fn(() => {
    if (left-- > 0) throw refusal(code)
    return 'done'
  })
}

/** Makes the process one on Windows, where `name` of node:fs is refused a number of times. */
function refuseOnWindows(name: 'renameSync' | 'rmSync', code: string, times: number): void {
  const { [name]: real } = { renameSync, rmSync }
  const refusing = refused(code, times)
  Object.assign(fs, {
    [name]: (...args: readonly unknown[]) => {
      refusing()
      return Reflect.apply(real, fs, args)
    },
  })
  syncBuiltinESMExports()
  Object.defineProperty(process, 'platform', { value: 'win32' })
}

test.each(['EPERM', 'EACCES', 'EBUSY'])(
  '%s of a file that is open elsewhere passes: tried again on Windows',
  (code) => {
    const pauses: number[] = []
    const work = refused(code, 3)
    expect(whenFree(work, { platform: 'win32', pause: (ms) => pauses.push(ms) })).toBe('done')
    expect(pauses).toEqual([10, 20, 40])
  },
)

test('a file that stays open elsewhere: tried for 2 s, then the refusal says what to do', () => {
  let waited = 0
  const work = refused('EBUSY', 1000)
  const pause = (ms: number): void => void (waited += ms)
  expect(() => whenFree(work, { platform: 'win32', pause })).toThrow('another program has it open')
  expect(waited).toBeGreaterThanOrEqual(2000)
  expect(waited).toBeLessThan(2300)
})

test.each([
  ['linux', 'EBUSY'],
  ['darwin', 'EPERM'],
  ['win32', 'ENOSPC'],
] as const)('on %s %s is an answer, and not tried again', (system, code) => {
  const work = refused(code, 1)
  expect(() => whenFree(work, { platform: system, pause: () => expect.unreachable() })).toThrow(`${code}: refused`)
  expect(work).toHaveBeenCalledTimes(1)
})

test('a list that a spreadsheet has just closed is replaced whole', () => {
  const path = join(box.folder, 'list.csv')
  fs.writeFileSync(path, 'old')
  refuseOnWindows('renameSync', 'EBUSY', 2)
  writeWhole(path, 'new', true, '--out')
  expect(fs.readFileSync(path, 'utf8')).toBe('new')
})

test('a list that a spreadsheet has open stays as it is, and nothing is left next to it', () => {
  const path = join(box.folder, 'open.csv')
  fs.writeFileSync(path, 'old')
  refuseOnWindows('renameSync', 'EBUSY', 1000)
  const file = openWhole(path, true, '--out')
  file.write('new')
  expect(() => file.finish()).toThrow('open.csv could not be written: another program has it open')
  expect(fs.readFileSync(path, 'utf8')).toBe('old')
  expect(fs.readdirSync(box.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('a lock that a virus scanner reads failed the command after its work', async () => {
  const path = join(box.folder, 'config.json.lock')
  refuseOnWindows('rmSync', 'EPERM', 1)
  expect(await locked(path, process.pid, async () => 'done')).toBe('done')
  expect(fs.existsSync(path)).toBe(false)
  // One that stays is dead for this process.
  refuseOnWindows('rmSync', 'EPERM', 1000)
  expect(await locked(path, process.pid, async () => 'done')).toBe('done')
  Object.assign(fs, { rmSync })
  syncBuiltinESMExports()
  expect(await locked(path, process.pid, async () => 'again')).toBe('again')
})

test('Ctrl-Break ended the command in the middle: it is Ctrl-C', () => {
  const stop = vi.fn()
  const quieten = systemIo(process).onInterrupt(stop)
  // No signal of this system has the name, so nothing else hears it.
  process.emit('SIGBREAK', 'SIGBREAK')
  expect(stop.mock.calls).toEqual([['SIGINT']])
  quieten()
  expect(process.listenerCount('SIGBREAK')).toBe(0)
})
