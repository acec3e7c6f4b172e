// Defends files of parcels: their forms, headers and faults, the flags beside them, and long files that are stopped.
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleCard } from '../../../src/domain/rates/samplecard.ts'
import { runProgram } from '../../bench/timing.ts'
import { cardOfTwelve, parcelFile } from '../../bench/p8.ts'
import { program } from '../../support/program.ts'
import { sandbox } from '../../support/sandbox.ts'
import { header } from './parcels.ts'
import { first } from '../../support/size.ts'

const box = sandbox()
afterAll(() => box.remove())

describe('a file', () => {
  const rates = (input: string, ...args: readonly string[]) => box.shipx(['rates', '--file', '-', ...args], { input })
  const line = 'A,400001,560001,500,10,10,10,prepaid\n'
  const head = 'ref,from,to,weight,length,width,height,payment\n'

  test.each(
    first(1, [
      ['cod', 'Cash on Delivery (COD)', 'C.O.D', 'Cash', 'cash on delivery'],
      ['prepaid', 'UPI', 'Paid', 'Razorpay', 'Net Banking', 'PREPAID'],
    ]),
  )('reads the payment %s as an order sheet spells it', async (plain, ...spelled) => {
    const text = (payments: readonly string[]): string =>
      [
        'ref,from,to,weight,length,width,height,payment,value',
        ...payments.map((payment) => `A,400001,560001,500,10,10,10,"${payment}",1499`),
      ].join('\n')
    const { stdout, exit } = await rates(text(spelled), '--csv', '-q')
    expect(exit).toBe(0)
    expect(stdout).toBe((await rates(text(spelled.map(() => plain)), '--csv', '-q')).stdout)
  })

  test(
    'of orders has prices: a sheet to import has the pincode and the value of each order',
    { tags: ['full'] },
    async () => {
      const orders =
        'order_id,billing_pincode,payment_method,sub_total,length,breadth,height,weight_kg\nA,560001,COD,1499,10,10,10,0.5\n'
      const { stdout, exit } = await rates(orders, '--from', '400001', '--csv', '-q')
      const parcel = 'ref,from,to,weight,length,width,height,payment,value\nA,400001,560001,500,10,10,10,COD,1499\n'
      expect([stdout, exit]).toEqual([(await rates(parcel, '--csv', '-q')).stdout, 0])
    },
  )

  test.each(
    first(2, [
      ['a BOM and CRLF', `\ufeff${(head + line).replaceAll('\n', '\r\n')}`],
      ['semicolons', (head + line).replaceAll(',', ';')],
      ['tabs', (head + line).replaceAll(',', '\t')],
      [
        'headers of other programs',
        `Order ID,Origin Pincode,Delivery Pincode,Weight (g),Length,Breadth,Height,Payment Mode\n${line}`,
      ],
      [
        'columns in another order and more of them',
        'note,payment,height,width,length,weight,to,from,ref\n"a ""quoted""\nnote",PREPAID,10,10,10,500g,560001,400001,A\n',
      ],
      ['empty lines', `${head}\n\n${line}\n`],
    ]),
  )('with %s is read', async (_, text) => {
    const { stdout, exit } = await rates(text, '--csv', '--fields', 'ref,paid')
    expect([stdout, exit]).toEqual(['ref,paid\nA,44\n', 0])
  })

  test('may leave out from and to where flags say them, and be mapped', async () => {
    const text = 'Id,weight,length,width,height,payment\nA,500,10,10,10,prepaid\n'
    const { stdout, exit } = await rates(
      text,
      '--from',
      '400001',
      '--to',
      '560001',
      '--map',
      'Id=ref',
      '--csv',
      '--fields',
      'ref,paid',
    )
    expect([stdout, exit]).toEqual(['ref,paid\nA,44\n', 0])
  })

  test(
    'may leave out the place of the profile: where forward parcels come from and returns go to',
    { tags: ['full'] },
    async () => {
      const env = { SHIPX_CONFIG_DIR: `${box.folder}/config` }
      expect((await box.shipx(['profile', 'set', 'origin', '400001'], { env })).exit).toBe(0)
      const text = `${head.trimEnd()},journey\nA,,560001,500,10,10,10,prepaid,\nB,560001,,500,10,10,10,,return\nC,,,500,10,10,10,prepaid,\n`
      const args = ['rates', '--file', '-', '--csv', '--fields', 'ref,zone,reason']
      const { stdout, exit } = await box.shipx(args, { env, input: text })
      expect([stdout, exit]).toEqual(['ref,zone,reason\nA,zone_c,\nB,zone_c,\nC,,to: is required\n', 7])
      // Without it they are missing.
      const { stdout: without } = await box.shipx(args, { input: text })
      expect(without).toBe(
        'ref,zone,reason\nA,,from: is required\nB,,to: is required\nC,,"from: is required; to: is required"\n',
      )
    },
  )

  test.skipIf(process.platform !== 'linux').each(first(1, ['--csv', '--json']))(
    'that meets a full disk is no success: %s',
    async (format) => {
      box.file('full.csv', head + line)
      const { stdout, stderr } = await box.bash(`shipx rates --file full.csv ${format} > /dev/full; echo "exit $?"`)
      expect([stdout, stderr]).toEqual([
        'exit 1\n',
        expect.stringContaining(format === '--json' ? '"output_failed"' : '✗ '),
      ])
    },
  )

  test.each(
    first(1, [
      ['ref,from\n', /the header lacks weight/],
      ['ref,from,weight,length\n', /the header lacks width and height/],
      ['ref,from,weight,length,width,height,payment\n', /the header lacks to, and there is no --to/],
      ['ref,to,weight,length,width,height,payment\n', /the header lacks from, and neither --from nor the profile/],
      ['ref,from,to,weight,length,width,height\n', /the header lacks payment/],
      [head.replace('to', 'from'), /2 headers mean from/],
      ['', /it is empty/],
      ['\ufeff\u0000\u0000', /UTF-16|line 1|lacks/],
    ]),
  )('whose header is wrong is refused before anything is printed: %j', async (text, message) => {
    const { stdout, stderr, exit } = await rates(text, '--json')
    expect([stdout, exit]).toEqual(['', 2])
    expect((JSON.parse(stderr) as { error: { message: string } }).error.message).toMatch(message)
  })

  test('named the columns that its header lacks one round after another', async () => {
    const { stderr, exit } = await rates('Name,weight,length\n', '--json')
    const { details } = (JSON.parse(stderr) as { error: { details: readonly { message: string }[] } }).error
    expect([exit, details.map(({ message }) => message.split(/[;,:]/)[0])]).toEqual([
      2,
      [
        'the header lacks ref',
        'the header lacks from',
        'the header lacks to',
        'the header lacks width and height',
        'the header lacks payment',
      ],
    ])
  })

  test.each(['Ref No', 'Order No', 'Waybill No'])('of a courier, with %s and COD Amt, was refused', async (ref) => {
    const own = `${ref};Pickup Pin;Drop Pincode;Wt;LxBxH (cm);Pay Mode;COD Amt\nA;421302;560001;500g;20x15x10;COD;1499\n`
    const usual = 'ref,from,to,weight,size,payment,value\nA,421302,560001,500g,20x15x10,COD,1499\n'
    expect((await rates(own, '--csv')).stdout).toBe((await rates(usual, '--csv')).stdout)
    expect((await rates(own)).stderr).not.toContain('not used')
  })

  test('that breaks in its first row is refused, later it is partly done', async () => {
    const broken = 'B,"400001,560001,500,10,10,10,prepaid\n'
    const first = await rates(head + broken, '--json')
    expect([first.stdout, first.exit]).toEqual(['', 2])
    expect(JSON.parse(first.stderr)).toMatchObject({ error: { code: 'invalid_file', exit_code: 2 } })
    const later = await rates(head + line + broken, '--json')
    expect(later.exit).toBe(7)
    // What was given out is a whole JSON text.
    expect((JSON.parse(later.stdout) as { data: unknown[] }).data).toHaveLength(1)
    expect(JSON.parse(later.stderr)).toMatchObject({
      error: {
        code: 'partial',
        exit_code: 7,
        message: expect.stringMatching(/line 3 is never closed; the parcel before it is answered$/),
      },
    })
  })

  test('with hostile cells goes on, and nothing of them runs', async () => {
    const hostile = ['=HYPERLINK("x")', '__proto__', 'a\u0000b', '\u001b[31mred', `${'x'.repeat(9_000)}`, 'कमल']
    const text = `${head}${hostile.map((ref) => `"${ref.replaceAll('"', '""')}",400001,560001,500,10,10,10,prepaid\n`).join('')}short,1\nlong,400001,560001,500,10,10,10,prepaid,,extra\n`
    const { stdout, exit } = await rates(text, '--csv')
    const records = parse<Record<string, string>>(stdout, { columns: true })
    expect(exit).toBe(7)
    expect(records.map(({ ref }) => ref)).toEqual(['\'=HYPERLINK("x")', ...hostile.slice(1), 'short', 'long'])
    expect(records.map(({ code }) => code)).toEqual([
      '',
      '',
      'invalid_file',
      '',
      '',
      '',
      'invalid_file',
      'invalid_file',
    ])
    expect(records[6]!['reason']).toMatch(/^line 8 has 2 cells where the header has 8$/)
    // As text for people and other programs, the escape is visible and harmless.
    const { stdout: plain } = await rates(text)
    expect(plain).not.toContain('\u001b')
  })

  test('with nothing below its header is done at once', { tags: ['full'] }, async () => {
    const { stdout, stderr, exit } = await rates(head, '--csv')
    expect([stdout, stderr, exit]).toEqual([
      'ref,courier,carrier_id,service,total,fee,paid,rto,zone,weight,delivery,code,reason\n',
      '',
      0,
    ])
    expect(JSON.parse((await rates(head, '--json')).stdout)).toEqual({ data: [] })
  })
})

describe('the flags', () => {
  test.each(
    first(2, [
      [['--size', '3x3x3'], '--size'],
      [['--cod', '5'], '--cod'],
      [['--explain'], '--explain'],
      [['--courier', 'swift'], '--courier'],
      [['--pick', 'slowest'], '--pick'],
      [['--compare', 'sample'], '--compare'],
      [['--compare', 'sample,sample', '--card', 'sample'], '--card'],
      [['--compare', 'sample,sample', '--gst'], '--gst'],
      [['--concurrency', '0'], '--concurrency'],
      [['--concurrency', 'many'], '--concurrency'],
      [['--max-rps', '-1'], '--max-rps'],
      [['--from', '123456'], '--from'],
      [['--columns', 'nothing'], '--columns'],
    ] as const),
  )('%j is refused with its name', async (args, field) => {
    const { stdout, stderr, exit } = await box.shipx([
      'rates',
      '--file',
      box.file('x.csv', header),
      ...args,
      ...(args[0] === '--columns' ? [] : ['--json']),
    ])
    expect([stdout, exit]).toEqual(['', 2])
    expect(stderr).toContain(field)
  })

  test.each(first(2, ['pick', 'compare', 'map', 'concurrency', 'max-rps']))('--%s needs a file', async (flag) => {
    const { stderr, exit } = await box.shipx([
      'rates',
      '--from',
      '400001',
      '--to',
      '560001',
      '-w',
      '500',
      '-s',
      '1x1x1',
      '--prepaid',
      `--${flag}`,
      '4',
    ])
    expect(exit).toBe(2)
    expect(stderr).toContain(`--${flag}: goes with --file`)
  })

  test('a card that is not sound is refused with its faults', async () => {
    const card = box.file('bad.json', JSON.stringify({ ...sampleCard, valid_from: '2026-02-30' }))
    const { stderr, exit } = await box.shipx(['rates', '--file', box.file('x.csv', header), '--card', card])
    expect(exit).toBe(2)
    expect(stderr).toMatch(/--card .*bad\.json valid_from: must be a date/)
  })
})

describe.skipIf(process.platform === 'win32')('a long file', { tags: ['full'] }, () => {
  const count = 100_000
  let path: string
  beforeAll(() => {
    path = box.file('long.csv', parcelFile(count))
    box.file('twelve.json', cardOfTwelve())
  })

  test('is stopped by Ctrl-C with whole lines, and says so', async () => {
    const { child, ended } = box.begin(['rates', '--file', path, '--csv'])
    child.stdout.once('data', () => child.kill('SIGINT'))
    const { stdout, stderr, exit } = await ended
    expect(exit).toBe(130)
    expect(stdout.endsWith('\n')).toBe(true)
    const records = parse<Record<string, string>>(stdout, { columns: true })
    expect(records.length).toBeGreaterThan(0)
    expect(records.length).toBeLessThan(count)
    expect(records.map(({ ref }) => ref)).toEqual(records.map((_, i) => `ORD-${100_000 + i}`))
    expect(stderr).toContain(`stopped after ${records.length.toLocaleString('en-IN')} parcels`)
  })

  test('that comes out of a pipe without an end is stopped too', async () => {
    const began = performance.now()
    const { stdout } = await box.bash(
      'exec 3< <(head -50 long.csv; exec sleep 30 2> /dev/null); shipx rates --file - --csv <&3 & p=$!; sleep 3; kill -INT $p; wait $p; echo "exit $?"',
    )
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('exit 130')
    expect(performance.now() - began).toBeLessThan(25_000)
  })

  test('whose reader leaves is a quiet end', async () => {
    const { stdout, stderr } = await box.bash(`shipx rates --file long.csv --csv | head -1; echo "\${PIPESTATUS[0]}"`)
    expect([stdout.split('\n').at(-2), stderr]).toEqual(['0', ''])
  })

  test.skipIf(process.platform !== 'linux')('stays in its memory', { tags: ['full'] }, async () => {
    const args = [program, 'rates', '--file', path, '--card', `${box.folder}/twelve.json`, '--csv', '-q']
    const { peakMb } = await runProgram({ command: process.execPath, args, env: box.env, watch: true })
    expect(peakMb).toBeLessThan(150)
  })
})
