// Defends the way from order to doorstep (docs/guides/doorstep.md): its script runs as it stands. A receiver that accepts only
// signed requests gets every step in the brand and with the logo of the order's store, and without a store none of it.
// @module-tag full: real time passes between the steps of an order
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { customerSteps } from '../../src/domain/parcels/journeys.ts'
import { blocks, emptyHome, freePort } from '../support/pages.ts'
import { png } from '../support/pictures.ts'
import { root } from '../support/checkout.ts'

const page = join(root, 'docs', 'guides', 'doorstep.md')
const home = emptyHome()
afterAll(home.remove)

/** Numbers that are made by chance, in the order in which they come. */
function settled(text: string): string {
  const seen: string[] = []
  const nth = (number: string): number => {
    if (!seen.includes(number)) seen.push(number)
    return seen.indexOf(number) + 1
  }
  return text
    .replace(/\b7\d{13}\b/g, (number) => `7461785018104${nth(number)}`)
    .replace(/\bRT-\d{8}\b/g, (number) => `RT-5521000${nth(number)}`)
}

/** The steps of an order that is delivered at the second try and comes back. */
const all = customerSteps.filter((step) => step !== 'coming_back')

test('docs/guides/doorstep.md goes from order to doorstep as it stands', async () => {
  const text = readFileSync(page, 'utf8')
  const script = blocks(text, 'bash').find((block) => block.includes('gateway.mjs'))!
  const port = await freePort()
  writeFileSync(join(home.path, 'logo.png'), png())
  // By the real clock, as at a reader's; what is printed goes into no terminal.
  const { status, stdout, stderr } = home.run(
    `unset SHIPX_NOW SHIPX_FORCE_TTY; set -e\n${script.replaceAll('8080', String(port))}`,
  )
  expect([status, stderr.split('\n').filter((line) => line.startsWith('✗'))]).toEqual([0, []])
  const received = settled(readFileSync(join(home.path, 'messages.txt'), 'utf8'))
  expect(stdout.endsWith(readFileSync(join(home.path, 'messages.txt'), 'utf8'))).toBe(true)

  const lines = received
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/))
  const stepsOf = (order: string): readonly string[] => lines.filter(([id]) => id === order).map(([, step]) => step!)
  expect(stepsOf('A-1')).toEqual(all)
  expect(stepsOf('A-2')).toEqual(all)
  expect(stepsOf('A-3')).toEqual(['order_confirmed', 'shipped', 'coming_back'])
  for (const line of received.trim().split('\n'))
    expect(line).toMatch(
      line.startsWith('A-2') ? /^A-2 \w+ +- +- +(?!.*Acme)/ : /^A-\d \w+ +Acme Kids +logo +Acme Kids: /,
    )

  const shown = text.replace(
    /(```text\n)[\s\S]*?(```)/,
    (_, before: string, after: string) => before + received + after,
  )
  if (process.env['UPDATE'] === '1') writeFileSync(page, shown)
  else expect(shown).toBe(text)
})

test('the e-mail of each step has the logo and the brand of the store, and without a store neither', () => {
  const run = (line: string): string => home.run(`unset SHIPX_NOW; export SHIPX_DB=doorstep.sqlite; ${line}`).stdout
  const { data } = JSON.parse(run('shipx messages list --all --json')) as {
    data: readonly {
      id: string
      order_id: string
      step: string
      store_name: string | null
      brand_name: string | null
    }[]
  }
  expect(data).toHaveLength(2 * all.length + 3)
  for (const { id, order_id, step, store_name, brand_name } of data) {
    const { html } = (JSON.parse(run(`shipx messages preview ${id} --json`)) as { data: { html: string } }).data
    const branded = order_id !== 'A-2'
    expect([step, store_name, brand_name]).toEqual([step, ...(branded ? ['acme-kids', 'Acme Kids'] : [null, null])])
    expect([step, html.includes('Acme Kids'), html.includes('src="data:image/png;base64,')]).toEqual([
      step,
      branded,
      branded,
    ])
    expect(/acme/i.test(html)).toBe(branded)
  }
})
