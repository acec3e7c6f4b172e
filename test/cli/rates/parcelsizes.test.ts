// Defends files of parcels whose three sides are in one column: a dropped size prices a parcel on its dead weight.
import { afterAll, describe, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'

const box = sandbox()
afterAll(() => box.remove())

const rates = (input: string, ...args: readonly string[]) =>
  box.shipx(['rates', '--file', '-', '--csv', '--fields', 'ref,courier,paid,weight,reason', ...args], { input })
/** What a person reads on stderr. */
const said = async (input: string, ...args: readonly string[]): Promise<string> =>
  (await box.shipx(['rates', '--file', '-', ...args], { input })).stderr
const parcel = (header: string, cell: string): string =>
  `ref,from,to,weight,"${header}",payment\nA,400001,781001,500g,"${cell}",prepaid\n`
const apart = 'ref,from,to,weight,length,width,height,payment\nA,400001,781001,500g,40,30,20,prepaid\n'

describe('a column of sizes was dropped, and the parcel priced on dead weight', () => {
  test.each([
    ['Size', '40×30×20'],
    ['size', '40x30x20'],
    ['Size (cm)', '40*30*20'],
    ['LxWxH (cm)', '40 x 30 x 20'],
    ['L x B x H', '40x30x20 cm'],
    ['L*B*H', '400x300x200 mm'],
    ['Dimensions', '40,30,20'],
    ['Dimensions (LxBxH in cm)', '40X30X20'],
    ['Package Dimensions', '40x30x20cms'],
    ['Size in mm', '400x300x200'],
  ])('%s with %s', async (header, cell) => {
    const { stdout, exit } = await rates(parcel(header, cell))
    expect([stdout, exit]).toEqual([(await rates(apart)).stdout, 0])
    const stderr = await said(parcel(header, cell))
    expect(stderr).not.toContain('no sides')
    expect(stderr).not.toContain('not used')
  })

  test.each([
    ['Size (in)', '8x6x4', []],
    ['Size in inches', '8x6x4', []],
    ['Size (cm)', '8x6x4in', []],
    ['Box', '8x6x4 inches', ['--map', 'Box=size']],
    ['Box', '8x6x4', ['--map', 'Box=size_in']],
    ['Box (inches)', '8x6x4', ['--map', 'Box (inches)=size']],
  ])('%s with %s is in inches, and shipx says so', async (header, cell, args) => {
    const { stdout } = await rates(parcel(header, cell), ...args)
    expect(stdout).toContain(',524.39,')
    expect(await said(parcel(header, cell), ...args)).toContain('line 2: 8x6x4 in is 20.32x15.24x10.16 cm')
  })

  test('a cell that is not a size is a fault of its line, and so is an empty one', async () => {
    const { stdout, exit } = await rates(`${parcel('Size', '40x30')}B,400001,781001,500g,,prepaid\n`)
    expect(exit).toBe(7)
    expect(stdout).toContain('A,,,,"size: ""40x30"" is not a size; write length x width x height in cm')
    expect(stdout).toContain('B,,,,size: is required\n')
  })

  test('of a size that could be inches shipx says that it read centimetres', async () => {
    const stderr = await said(parcel('Size', '12x9x6').replace('500g', '2kg'))
    expect(stderr).toContain('line 2: the size 12x9x6 is read as cm; for inches write 12x9x6in')
  })

  test('a header in feet is refused', async () => {
    const { stderr, exit } = await rates(parcel('Size (ft)', '1x1x1'))
    expect([exit, stderr]).toEqual([2, expect.stringContaining('"Size (ft)" says ft; shipx reads cm, mm and in')])
  })
})

test('with a column for each side, Size may be XL; what is not used is named', async () => {
  const text = apart.replace('payment', 'payment,Size,Colour').replace('prepaid', 'prepaid,XL,red')
  const { stdout, exit } = await rates(text)
  expect([stdout, exit]).toEqual([(await rates(apart)).stdout, 0])
  expect(await said(text)).toContain('Columns that are not used: Size, Colour')
})

test('one side next to a size is not used', async () => {
  const text = parcel('Size', '40x30x20').replace(',payment', ',payment,Length').replace('prepaid', 'prepaid,1')
  const { stdout } = await rates(text)
  expect(stdout).toBe((await rates(apart)).stdout)
  expect(await said(text)).toContain('Columns that are not used: Length')
})
