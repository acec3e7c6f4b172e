// Makes the pictures of docs/images out of real runs of the built command, on sample data and a clock that stands
// still: the report in a browser, and commands on a real terminal. Run by `npm run screenshots`; Chromium must be
// there, and a font for Hindi (Debian packages chromium, fonts-lohit-deva).
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BrowserContextOptions } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { sandbox } from '../support/sandbox.ts'
import { shipxOn } from '../support/pty.ts'
import { smaller } from './palette.ts'
import { papers } from './papers.ts'
import { terminalPage } from './terminalpage.ts'

const folder = fileURLToPath(new URL('../../docs/images', import.meta.url))
const largest = 150_000

const box = sandbox()
/** A name without a folder: what is shown is the same on every machine. */
const env = { SHIPX_DB: 'shipx.sqlite' }
const browser = await openBrowser()

function keep(name: string, png: Buffer): void {
  const bytes = smaller(png)
  if (bytes.length > largest) throw new Error(`${name}.png has ${bytes.length} bytes; ${largest} is the most`)
  writeFileSync(join(folder, `${name}.png`), bytes)
}

async function ran(args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await box.shipx(args, { env })
  if (exit !== 0) throw new Error(`shipx ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** The top of a page in a file, as high as the view is. */
async function top(name: string, file: string, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(pathToFileURL(join(box.folder, file)).href)
  keep(name, await page.screenshot())
  await context.close()
}

/** A command line on a terminal of a width, and what it shows. It must end with the exit code `ends`. */
async function command(name: string, args: readonly string[], columns = 104, ends = 0): Promise<void> {
  const terminal = shipxOn(box, args, { columns, rows: 40, env })
  const exit = await terminal.ended()
  if (exit !== ends) throw new Error(`shipx ${args.join(' ')}: ${terminal.screen()}`)
  const context = await browser.newContext({ deviceScaleFactor: 1.5, viewport: { width: 1000, height: 400 } })
  const page = await context.newPage()
  await page.setContent(await terminalPage(`shipx ${args.join(' ')}`, terminal.raw(), columns))
  keep(name, await page.locator('pre').screenshot())
  await context.close()
}

/** A store's logo, drawn in a browser: a leaf in a circle, and a name. */
async function logo(name: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 440, height: 112 } })
  await page.setContent(
    `<body style="margin:0;background:#fff"><div style="display:flex;align-items:center;gap:22px;height:112px;padding:0 12px;font:700 50px 'DejaVu Serif',serif;color:#1f5f4a"><svg width="80" height="80" viewBox="0 0 80 80"><circle cx="40" cy="40" r="40" fill="#1f5f4a"/><path d="M22 56C20 32 36 20 60 20C60 46 46 58 22 56ZM22 58L46 36" fill="#f4d58d" stroke="#1f5f4a" stroke-width="3"/></svg>Neem Kids</div>`,
  )
  writeFileSync(join(box.folder, name), smaller(await page.screenshot()))
  await page.close()
}

/** An e-mail as it is read. */
async function message(name: string, args: readonly string[], options: BrowserContextOptions): Promise<void> {
  await ran(['messages', 'preview', ...args, '--out', `${name}.html`, '--quiet'])
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(pathToFileURL(join(box.folder, `${name}.html`)).href)
  keep(name, await page.screenshot({ fullPage: true }))
  await context.close()
}

// Without one the picture would show boxes.
if (execFileSync('fc-list', [':lang=hi'], { encoding: 'utf8' }) === '')
  throw new Error('there is no font for Hindi; install fonts-lohit-deva')

try {
  mkdirSync(folder, { recursive: true })
  const sample = ['--shipments', '6000', '--returns', '900', '--stores', '6', '--invoices', 'bills']
  await ran(['local', 'seed', ...sample, '--quiet'])
  await ran(['report', '--quiet'])
  await logo('logo.png')
  await ran(['stores', 'create', '--name', 'neem-kids', '--brand', 'Neem Kids', '--logo', 'logo.png', '--quiet'])
  const desk = { viewport: { width: 620, height: 400 } }
  const phone = { viewport: { width: 390, height: 400 }, deviceScaleFactor: 1.5 }
  await message('message-branded', ['--step', 'out_for_delivery', '--store', 'neem-kids'], desk)
  await message('message-dark', ['--step', 'shipped', '--store', 'neem-kids'], { ...phone, colorScheme: 'dark' })
  await message('message-unbranded', ['--step', 'delivered'], desk)
  await message('message-hindi', ['--step', 'attempt_failed', '--store', 'neem-kids', '--language', 'hi'], desk)
  await top('report', 'report.html', { viewport: { width: 1160, height: 1330 } })
  await top('report-dark', 'report.html', { viewport: { width: 1160, height: 1330 }, colorScheme: 'dark' })
  await top('report-phone', 'report.html', { viewport: { width: 390, height: 1130 }, deviceScaleFactor: 1.5 })
  const listed = JSON.parse(
    await ran([
      'shipments',
      'list',
      '--status',
      'rto_delivered',
      '--attempts-count-gte',
      '2',
      '--limit',
      '1',
      '--json',
      '--quiet',
    ]),
  ) as { data: readonly { attributes: { tracking_number: string } }[] }
  const parcel = '--from 400001 --to 560001 --weight 500g --size 20x15x10 --cod 1499'
  await command('rates', ['rates', ...parcel.split(' ')], 80)
  await command('list', ['shipments', 'list', '--status', 'ndr_raised', '--since', '30d', '--limit', '10'])
  await command('timeline', ['shipments', 'get', listed.data[0]!.attributes.tracking_number])
  await command('summary', ['shipments', 'summary', '--by', 'zone', '--since', '30d'])
  await command('worklist', ['shipments', 'ndr', '--limit', '8'])
  // The later month has the faults.
  const bills = readdirSync(join(box.folder, 'bills')).filter((bill) => /^deccan(?!.*-cod-)/.test(bill))
  const bill = `bills/${bills.toSorted().at(-1)!}`
  await command('invoice', ['reconcile', 'invoice', bill, '--dry-run'], 120)
  await ran(['reconcile', 'invoice', bill, '--dry-run', '--out', 'invoice.html', '--quiet'])
  await top('invoice-page', 'invoice.html', { viewport: { width: 1160, height: 1330 } })
  const rows = ['store_name,brand_name', 'acme-kids,Acme Kids', 'acme-home,Acme Home', 'acme toys,Acme Toys']
  box.file('stores.csv', `${rows.join('\n')}\n`)
  await command('import', ['stores', 'import', 'stores.csv', '--yes'], 80, 7)
  await command('help', ['stores', 'create', '--help'], 80)
  for (const [name, png] of Object.entries(await papers(box, ran))) writeFileSync(join(folder, `${name}.png`), png)
} finally {
  await browser.close()
  box.remove()
}
