// Defends maps of files: what a header and a value mean, what is not read, and that a kept map is the same as its flags.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { askHeaders } from '../../../src/cli/imports/askcolumns.ts'
import type { Choice } from '../../../src/cli/ask/asker.ts'
import { sandbox, type Outcome, type Sandbox } from '../../support/sandbox.ts'
import { keys } from '../../support/pty.ts'
import { freshBox, on, wide } from '../ask/terminals.ts'

let box: Sandbox
beforeEach(() => {
  box = sandbox()
})
afterEach(() => box.remove())

const run = (line: string): Promise<Outcome> => box.bash(line)

const sheet =
  'Order Id,Customer name,Customer mobile no,Address line 1,Customer pincode,Shipping Country,Payment mode,Product SKU Id,Product quantity,Product price\n' +
  'M-1,Asha Rao,9812345678,12 MG Road,560038,IN,Barter,CR-02,1,499\n'

const flags = '--weight 500g --size 20x15x10 --warehouse WH1 --dry-run'

test(
  'a header that is not to be read and a value in other words go with the map that is kept',
  { tags: ['full'] },
  async () => {
    box.file('orders.csv', sheet)
    await run('shipx local warehouse set WH1 400001')
    const plain = await run(`shipx orders import orders.csv ${flags}`)
    expect([plain.exit, plain.stderr]).toEqual([2, expect.stringContaining('shipping_customer_name is required')])
    expect(plain.stderr).toContain(`add --map-value 'Payment mode:Barter=PREPAID', or =COD`)
    const given = `--ignore "Shipping Country" --map-value "Payment mode:barter=PREPAID" --save-map bank`
    const saved = await run(`shipx orders import orders.csv ${flags.replace('--dry-run', '--yes')} ${given}`)
    expect([saved.exit, saved.stderr]).toEqual([
      0,
      expect.stringContaining('Saved map bank. Use it with --use-map bank'),
    ])
    const used = await run(`shipx orders import orders.csv ${flags} --use-map bank`)
    expect([used.exit, used.stdout]).toEqual([0, expect.stringContaining('"unchanged":1')])
    expect(JSON.parse((await run('shipx map show bank --json')).stdout)).toEqual({
      data: {
        map: 'bank',
        headers: [],
        values: ['Payment mode:barter=PREPAID'],
        ignored: ['Shipping Country'],
        courier: null,
      },
    })
  },
)

test('a map is kept by no dry run, and removed by its name', { tags: ['full'] }, async () => {
  box.file('stores.csv', 'Company\nacme\n')
  const line = 'shipx stores import stores.csv --map Company=store_name --save-map mine'
  const dry = await run(`${line} --dry-run`)
  expect([dry.exit, (await run('shipx map list')).stdout]).toEqual([0, ''])
  await run(`${line} --yes`)
  expect((await run('shipx map remove mine')).stderr).toContain('Removed map mine')
  expect((await run('shipx map show mine')).exit).toBe(3)
})

test('a map that does not fit is refused with what the file has', { tags: ['full'] }, async () => {
  box.file('orders.csv', sheet)
  for (const [flag, message] of [
    ['--use-map bank', 'there is no map bank'],
    ['--ignore Nothing', '--ignore the file has no header "Nothing"; it has: Order Id'],
    ['--map-value "Nothing:a=b"', '--map-value the file has no header "Nothing"; it has: Order Id'],
    ['--map-value "Payment mode"', '--map-value "Payment mode" is not <header>:<value>=<our value>'],
    ['--save-map "no name"', '--save-map "no name" is not a name'],
  ] as const) {
    const { exit, stderr } = await run(`shipx orders import orders.csv ${flags} ${flag}`)
    expect([flag, exit === 0, stderr.replaceAll(': ', ' ')]).toEqual([
      flag,
      false,
      expect.stringContaining(message.replaceAll(': ', ' ')),
    ])
  }
})

test('rates --file reads a map too', { tags: ['full'] }, async () => {
  box.file('parcels.csv', 'ref,A,Pin,Wt,L,W,H,Pay\nR1,400001,560001,500g,20,15,10,Bank\n')
  const given =
    '--map A=from --map Pin=to --map Wt=weight --map L=length --map W=width --map H=height --map Pay=payment --map-value Pay:Bank=prepaid'
  const first = await run(`shipx rates --file parcels.csv ${given} --save-map parcels --csv`)
  const again = await run('shipx rates --file parcels.csv --use-map parcels --csv')
  expect([first.exit, again.exit, again.stdout]).toEqual([0, 0, first.stdout])
})

describe('a column that the header lacks', () => {
  const samples = [
    { header: 'Company', cells: ['acme', 'zen'] },
    { header: 'Label', cells: ['Acme'] },
  ]

  test('is asked with the cells of each free header, and a header is offered once', async () => {
    const asked: { message: string; choices: readonly Choice[] }[] = []
    const answers = ['Company', 'Label']
    const choice = async (message: string, choices: readonly Choice[]): Promise<string> => {
      asked.push({ message, choices })
      return answers[asked.length - 1]!
    }
    const columns = [{ name: 'store_name', aliases: ['store'] }, { name: 'brand_name' }]
    expect(await askHeaders({ choice }, columns, samples)).toEqual(['Company=store_name', 'Label=brand_name'])
    expect(asked.map(({ message, choices }) => [message, choices.map(({ name }) => name)])).toEqual([
      ['Which header is store (store_name)?', ['Company: acme, zen', 'Label: Acme', 'None of these']],
      ['Which header is brand_name?', ['Label: Acme', 'None of these']],
    ])
    expect(await askHeaders({ choice: async () => '' }, columns, samples)).toBeUndefined()
  })

  test('is asked on a terminal, and the answers are kept as a map', { tags: ['full'] }, async () => {
    const own = freshBox()
    own.file('stores.csv', 'Company,Label\nacme,Acme\nzen,Zen\n')
    const terminal = on(['stores', 'import', 'stores.csv', '--yes'], wide, own)
    await terminal.shows('? Which header is store (store_name)?')
    await terminal.shows('Company: acme, zen')
    terminal.type(keys.enter)
    await terminal.shows('Save the answers as a map?')
    terminal.type(`y${keys.enter}`)
    await terminal.shows('Name of the map')
    terminal.type(`mine${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('2 stores created')
    expect((await own.bash('shipx map list')).stdout).toContain('Company=store_name')
  })

  test('is asked for prices of orders too, as for their import', { tags: ['full'] }, async () => {
    const own = freshBox()
    own.file('orders.csv', 'Ref,Where,payment_method,weight\nA-1,560001,Prepaid,0.5kg\n')
    const terminal = on(['rates', '--orders', 'orders.csv', '--from', '400001'], wide, own)
    await terminal.shows('? Which header is')
    await terminal.shows('Ref: A-1')
    terminal.type(keys.enter)
    // The cells of the second header stand below the first question too.
    await terminal.shows('? Which header is Customer pincode')
    await terminal.shows('Where: 560001')
    terminal.type(keys.enter)
    await terminal.shows('Save the answers as a map?')
    terminal.type(`n${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('A-1')
  })
})
