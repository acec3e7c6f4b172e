// Defends docs/guides/disputes.md: its commands run on the sample month that it begins with, and print what it shows.
// @module-tag full: a process for each command of the page
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../support/checkout.ts'
import { png } from '../../support/pictures.ts'
import { sandbox } from '../../support/sandbox.ts'

const box = sandbox()
afterAll(() => box.remove())

const page = readFileSync(join(root, 'docs', 'guides', 'disputes.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({
  kind: kind!,
  text: text!,
}))

/** What the page shows: a command with the lines that it prints, none where it shows none. */
const shown = blocks
  .filter(({ kind }) => kind === 'console')
  .flatMap(({ text }) => text.split(/^\$ /m).slice(1))
  .map((part) => part.trimEnd().split('\n'))
  .map(([command, ...lines]) => [command!, lines] as const)

/** Commands of the other blocks, in their order. */
const others = blocks
  .filter(({ kind }) => kind === '')
  .flatMap(({ text }) => text.split('\n'))
  .filter((line) => line.startsWith('shipx '))

/** What the exit code of a line is where it is not 0: a sheet with an AWB that nobody knows. */
const exits: Readonly<Record<string, number>> = { 'shipx disputes set --file answers.csv --yes': 7 }

beforeAll(() => {
  for (const name of ['length.jpg', 'width.jpg', 'height.jpg', 'scale-label.jpg', 'IMG_2041.jpg'])
    box.file(name, png(name.length))
  box.file('answers.csv', 'awb,status,amount,note\nD0000001,Accepted by courier,,\n9999,accepted,,\n')
})

test('the page has commands', () => {
  expect([shown.length > 5, others.length > 12]).toEqual([true, true])
})

test.each(shown)('%s prints what the page shows', async (command, lines) => {
  const { exit, stdout, stderr } = await box.bash(command, { env: { SHIPX_FORCE_TTY: '100', NO_COLOR: '1' } })
  expect([exit, stderr]).toEqual([0, stderr])
  if (lines.length === 0) return
  const printed = `${stdout}${stderr}`.split('\n').map((line) => line.trimEnd())
  expect(printed.filter((line) => line !== '')).toEqual(lines.filter((line) => line !== ''))
})

test.each(others)('%s', async (line) => {
  copyFileSync(join(box.folder, 'bills', 'deccan-parcel-2026-08.csv'), join(box.folder, 'september.csv'))
  const { exit, stderr } = await box.bash(line)
  expect([exit, stderr]).toEqual([exits[line] ?? 0, stderr])
})
