// Notes and errors on a narrow terminal: sentences break at words, and a command stays in one piece, to be copied.
import { afterAll, describe, expect, test } from 'vitest'
import { foldedText } from '../../../src/cli/terminal/width.ts'
import { sandbox } from '../../support/sandbox.ts'
import { keys, shipxOn } from '../../support/pty.ts'

const bench = sandbox()
afterAll(() => bench.remove())

const lines = (text: string, columns: number): readonly string[] => foldedText(text, columns).split('\n')

describe('a command stays in one piece', () => {
  // prettier-ignore
  test.each<[string, string]>([
    ['after an arrow',           "→ shipx rates --from 400001 --to 560001 --cod '₹1,499'"],
    ['after an arrow in ASCII',  "-> shipx shipments list --search 'Asha Rao'"],
    ['on a line of its own',     '  shipx local warehouse set WH1 <pincode>'],
  ])('%s', (_, line) => {
    for (const columns of [20, 40, 50]) expect(lines(line, columns)).toEqual([line])
  })

  test('after a colon', () => {
    expect(
      lines('  3 orders: the pincode of warehouse WH1 is not known: shipx local warehouse set WH1 <pincode>', 60),
    ).toEqual(['  3 orders: the pincode of warehouse WH1 is not known:', '  shipx local warehouse set WH1 <pincode>']) // the indent stays with it
  })

  test('when it repeats what was answered, also on a terminal of 80 columns', { tags: ['full'] }, async () => {
    const terminal = shipxOn(bench, ['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10'], {
      columns: 80,
    })
    await terminal.shows('? Payment')
    terminal.type(keys.down + keys.enter)
    await terminal.shows('? Value of the parcel')
    terminal.type(`₹1,499${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.raw()).toContain(
      "shipx rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --cod '₹1,499'",
    )
  })
})

test('the command that a hint names is quoted, so that a shell does not take #1500 for a comment', async () => {
  expect((await bench.shipx(['orders', 'get', '#1500'])).stderr).toContain("→ shipx shipments get '#1500'\n")
  expect((await bench.shipx(['orders', 'get', 'A B; x'])).stderr).toContain("→ shipx shipments get 'A B; x'\n")
})
