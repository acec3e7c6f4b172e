// Defends narrow terminals: the point of a list stays, a summary next to lines in a file is laid out for its own window,
// and a percentage is rounded once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programOn } from '../support/pty.ts'
import { sandbox } from '../support/sandbox.ts'
import { offView, shareText } from '../../src/cli/commands/shipments/rtoview.ts'

const box = sandbox()
beforeAll(() => box.shipx(['local', 'seed', '--shipments', '800', '-q']))
afterAll(() => box.remove())

/** The columns of a list on 80 columns. */
async function columnsOf(...words: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await box.shipx(words, { env: { SHIPX_FORCE_TTY: '80', NO_COLOR: '1' } })
  expect([exit, stderr]).toEqual([0, stderr])
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  return stdout.split('\n')[0]!.trim().replace(/ {2,}/g, '|')
}

test('at 80 columns each list keeps what it is about', async () => {
  expect(await columnsOf('courier', 'policy')).toMatch(/^COURIER\|FIELD\|VALUE/)
  expect(await columnsOf('ndr', '--unanswered')).toContain('PHONE')
  expect(await columnsOf('stuck')).toMatch(/^AWB\|ORDER\|COURIER\|STATUS\|DAYS/)
  expect(await columnsOf('shipments', 'list', '--cod', '--status', 'in_transit')).toMatch(/\|COD$/)
})

test('stuck parcels: a status was cut where the city took its room', async () => {
  const { stdout } = await box.shipx(['stuck'], { env: { SHIPX_FORCE_TTY: '80', NO_COLOR: '1' } })
  expect(stdout).not.toMatch(/(in tran|raised|Reattempt d)…/)
})

test('the summary of prices collapsed on 40 columns while the lines went to a file: cards below 60', async () => {
  const rows = ['ref,from,to,weight,length,width,height,payment,value']
  for (const to of ['560001', '110001', '797112']) rows.push(`A${to},400001,${to},500g,10,10,10,prepaid,500`)
  const path = box.file('small.csv', rows.join('\n'))
  const program = ['-c', `shipx rates --file ${path} > /dev/null`]
  const terminal = programOn(box, '/bin/bash', program, { columns: 40, env: { NO_COLOR: '1' } })
  expect(await terminal.ended()).toBe(0)
  expect(terminal.screen()).toMatch(/^parcels: +3$/m)
  expect(terminal.screen()).not.toMatch(/COURIER +PARCELS/)
  terminal.kill()
})

test('1 of 26 is 3.8 %, and not the 3.9 of its two decimals, 3.85', () => {
  expect(shareText(1, 26)).toBe('3.8%')
  expect(shareText(0, 0)).toBe('-')
  const column = offView.columns.find(({ key }) => key === 'rto_percent')!
  expect(column.show!({ rto: 1, settled: 26, rto_percent: 3.85 } as never, {} as never)).toBe('3.8%')
})
