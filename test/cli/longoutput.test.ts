// Defends a long output that goes to a file by a thread of its own: the same bytes in the same order, and one error when
// the disk is full.
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileWriter, type FileWriter } from '../../src/cli/terminal/filewriter.ts'
import { sandbox } from '../support/sandbox.ts'
import { root } from '../support/checkout.ts'

const box = sandbox()
afterAll(() => box.remove())

const unix = process.platform !== 'win32'

/** Bytes that have their memory for themselves. */
const bytesOf = (text: string, length: number): Uint8Array => new Uint8Array(Buffer.from(text.repeat(length)))

const started = async (descriptor: number, code = join(root, 'dist', 'write.cjs')): Promise<FileWriter> => {
  const writer = fileWriter(descriptor, { code, options: {} })
  for (let tries = 0; !writer.ready() && tries < 500; tries++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(writer.ready()).toBe(true)
  return writer
}

describe('the thread that writes a file', () => {
  test('writes where the last write ended, and takes the bytes with it', async () => {
    const path = box.file('written.txt', '')
    const descriptor = openSync(path, 'w')
    writeSync(descriptor, 'first\n')
    const writer = await started(descriptor)
    const pieces = ['a', 'b', 'c'].map((letter) => bytesOf(letter, 200_001))
    for (const piece of pieces) {
      await writer.write(piece)
      writeSync(descriptor, '\n')
    }
    closeSync(descriptor)
    expect(pieces.map(({ length }) => length)).toEqual([0, 0, 0])
    expect(readFileSync(path, 'latin1')).toBe(
      `first\n${['a', 'b', 'c'].map((letter) => `${letter.repeat(200_001)}\n`).join('')}`,
    )
  })

  test('gives the memory of what it has written back', async () => {
    const descriptor = openSync(box.file('memory.txt', ''), 'w')
    const writer = await started(descriptor)
    let before = 0
    for (let n = 0; n < 120; n++) {
      await writer.write(new Uint8Array(2_000_000).fill(120))
      if (n === 20) before = process.memoryUsage.rss()
      if (n % 10 === 0) ftruncateSync(descriptor)
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(30_000_000)
    closeSync(descriptor)
  })

  test('looked for a line break through all of a piece that has none, for each 64 KB: JSON took half as long again', async () => {
    const descriptor = openSync(box.file('unbroken.txt', ''), 'w')
    const writer = await started(descriptor)
    const timeOf = async (byte: number): Promise<number> => {
      const piece = new Uint8Array(16_000_000).fill(120)
      for (let at = 0; at < piece.length; at += 2000) piece[at] = byte
      const from = performance.now()
      await writer.write(piece)
      ftruncateSync(descriptor)
      return performance.now() - from
    }
    const [lines, unbroken]: [number[], number[]] = [[], []]
    for (let n = 0; n < 3; n++) {
      lines.push(await timeOf(10))
      unbroken.push(await timeOf(120))
    }
    // It took 70 times as long.
    expect(Math.min(...unbroken)).toBeLessThan(5 * Math.min(...lines))
    closeSync(descriptor)
  })

  test.skipIf(!unix)('says why the system did not write, each time', async () => {
    const descriptor = openSync(box.file('read.txt', 'x'), 'r')
    const writer = await started(descriptor)
    for (let n = 0; n < 2; n++) {
      await expect(writer.write(bytesOf('x', 100_000))).rejects.toMatchObject({
        code: 'EBADF',
        message: 'EBADF: bad file descriptor, write',
      })
    }
    closeSync(descriptor)
  })

  test('that ends is an error, and nothing waits for it', async () => {
    const code = box.file(
      'short.cjs',
      `const { parentPort } = require('node:worker_threads')
      parentPort.on('message', () => process.exit(0))
      parentPort.postMessage('ready')`,
    )
    const writer = await started(1, code)
    for (let n = 0; n < 2; n++) {
      await expect(writer.write(bytesOf('x', 100_000))).rejects.toThrow('the thread that writes has ended')
    }
    expect(writer.ready()).toBe(false)
  })

  test('that cannot start is never ready', async () => {
    const writer = fileWriter(1, { code: join(box.folder, 'absent.cjs'), options: {} })
    await expect(writer.write(bytesOf('x', 100_000))).rejects.toThrow('Cannot find module')
    expect(writer.ready()).toBe(false)
  })
})

/** Makes the first writes of a listing slow, so that the thread is there before its end, and counts what it gets. */
const watched = `
  const fs = require('node:fs'), { Worker, isMainThread } = require('node:worker_threads'), { write } = fs
  const { postMessage } = Worker.prototype
  let sent = 0
  if (isMainThread) {
    fs.write = (...given) => setTimeout(write, 20, ...given)
    Worker.prototype.postMessage = function (...given) { sent++; return postMessage.apply(this, given) }
    process.on('exit', () => fs.writeSync(2, 'pieces: ' + (sent > 3 ? 'many' : sent) + '\\n'))
  }`

describe.skipIf(!unix)('a listing of 80 MB', { tags: ['full'] }, () => {
  const list = 'shipx shipments list --all --jsonl --db long.sqlite'
  const env = { NODE_OPTIONS: `--require ${join(box.folder, 'watched.cjs')}` }

  const total = 10_000

  beforeAll(async () => {
    box.file('watched.cjs', watched)
    const text = 'x'.repeat(8_000)
    const record = (n: number): string =>
      JSON.stringify({ id: `L-${n}`, type: 'shipment', attributes: { created_at: '2026-09-01T04:30:00Z', note: text } })
    box.file('long.jsonl', Array.from({ length: total }, (_, n) => `${record(n)}\n`).join(''))
    expect((await box.shipx(['local', 'import', 'shipments', 'long.jsonl', '--db', 'long.sqlite'])).exit).toBe(0)
  })

  test('is the same in a file and in a pipe, and a file gets it from a thread', async () => {
    const piped = await box.bash(`${list} | tee piped.jsonl | wc -l`, { env })
    expect([piped.stdout.trim(), piped.stderr]).toEqual([String(total), 'pieces: 0\n'])
    const filed = await box.bash(`(echo before; ${list}; echo after) > filed.jsonl`, { env })
    expect([filed.exit, filed.stderr]).toEqual([0, 'pieces: many\n'])
    const joined = await box.bash('(echo before; cat piped.jsonl; echo after) | cmp - filed.jsonl && echo same')
    expect(joined.stdout).toBe('same\n')
    const added = await box.bash(`${list} >> piped.jsonl; grep -c . piped.jsonl; sort -u piped.jsonl | wc -l`)
    expect(added.stdout).toBe(`${2 * total}\n${total}\n`)
  })

  test('is whole where the system has no thread left', async () => {
    box.file(
      'threadless.cjs',
      "require('node:worker_threads').Worker = class { constructor() { throw new Error('none') } }",
    )
    const none = { NODE_OPTIONS: `--require ${join(box.folder, 'threadless.cjs')}` }
    const { exit, stderr } = await box.bash(`${list} > alone.jsonl`, { env: none })
    expect([exit, stderr]).toEqual([0, ''])
    expect((await box.bash(`${list} | cmp - alone.jsonl && echo same`)).stdout).toBe('same\n')
  })

  test('into a file that may not grow ends with one error', async () => {
    const { stderr, exit } = await box.bash(`ulimit -f 60000; ${list} > short.jsonl`, { env })
    const [error, sent] = stderr.split('\n')
    expect([exit, sent]).toEqual([1, 'pieces: many'])
    expect(JSON.parse(error!)).toMatchObject({
      error: { code: 'output_failed', message: 'the output could not be written: EFBIG: file too large, write' },
    })
  })
})
