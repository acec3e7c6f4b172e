// Defends long answers in scripts whose width terminals count differently: each key left one more copy on the screen once
// the text reached its second line.
import { expect, test } from 'vitest'
import { shownAnswer } from '../../../src/cli/ask/longanswer.ts'
import { reachOf } from '../../../src/cli/terminal/width.ts'
import { keys } from '../../support/pty.ts'
import { freshBox, on } from './terminals.ts'

const hindi = 'किताबें और खिलौने बच्चों की दुकान '

test.each([
  ['Hindi', hindi.repeat(4)],
  ['Tamil', 'குழந்தைகளுக்கான பொம்மைகள் மற்றும் புத்தகங்கள் '.repeat(3)],
  ['emoji', '👩‍👩‍👧 Toys 🏳️‍🌈 '.repeat(12)],
])('a long answer in %s is one line on the screen, and arrives whole', async (_, long) => {
  const text = long.slice(0, 96).trim()
  const own = freshBox()
  const terminal = on(['stores', 'create'], { columns: 60 }, own)
  await terminal.shows('? Name of the store')
  terminal.type(`acme${keys.enter}`)
  await terminal.shows(/^\? .*[Bb]rand/m)
  for (const char of text) terminal.type(char)
  await terminal.shows('…')
  expect(terminal.screen().match(/\? Brand/g)).toHaveLength(1)
  terminal.type(keys.enter)
  expect(await terminal.ended()).toBe(0)
  const { stdout } = await own.shipx(['stores', 'get', 'acme', '--jsonl'])
  expect(JSON.parse(stdout)).toMatchObject({ brand_name: text })
})

test('what is shown never passes the end of its line, wherever the cursor is', () => {
  for (const width of [30, 40, 61, 80, 120])
    for (const head of ['? Brand', '? Brand shown to customers (Enter for none)'])
      for (let at = 0; at <= hindi.length * 3; at += 7) {
        const { content, cursor } = shownAnswer(head, hindi.repeat(3), at, width, '…')
        const line = content.split('\n').at(-1)!
        const answer = content.includes('\n') ? line : line.slice(head.length + 1)
        const start = content.includes('\n') ? 0 : (head.length + 1) % width
        expect(start + Math.max(answer.length, reachOf(answer))).toBeLessThan(width)
        expect(cursor!.cols).toBeLessThan(width)
      }
})

test('text whose width every terminal knows is shown whole', () => {
  const { content, cursor } = shownAnswer('? Brand', 'Acme '.repeat(30), 3, 40, '…')
  expect([content, cursor]).toEqual([`? Brand ${'Acme '.repeat(30)}`, undefined])
})
