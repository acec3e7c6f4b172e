// `npm run scorecard`: the rows of the reliability scorecard at full size, each printed with its number.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type { Finding } from './row.ts'
import { rows } from './rows.ts'

const usage = `npm run scorecard -- [--only R8,R12] [--size 1] [--json <file>]
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(rows).join(',') },
    size: { type: 'string', default: '1' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

async function main(): Promise<void> {
  const names = values.only.toUpperCase().split(',')
  const unknown = names.find((name) => !Object.hasOwn(rows, name))
  if (unknown !== undefined) throw new Error(`${unknown} is not one of ${Object.keys(rows).join(', ')}`)
  const size = Number(values.size)
  if (!(size > 0 && size <= 1)) throw new Error('--size is above 0 and at most 1')
  const found: Finding[] = []
  for (const name of names) {
    const finding = await rows[name]!(size)
    found.push(finding)
    process.stdout.write(lineOf(finding))
  }
  const failed = found.filter(({ faults }) => faults.length > 0)
  process.stdout.write(`\n${found.length - failed.length} of ${found.length} rows as required\n`)
  const about = {
    at: new Date().toISOString(),
    node: process.version,
    cpus: cpus().length,
    cpu: cpus()[0]?.model,
    size,
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ ...about, rows: found }, null, 2)}\n`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

function lineOf({ row, what, result, target, faults, seconds }: Finding): string {
  const mark = faults.length === 0 ? '✓' : '✗'
  const details = faults.map((fault) => `      ${fault.replaceAll(/\s+/g, ' ')}\n`).join('')
  return `${mark} ${row.padEnd(4)} ${what}\n      ${result} in ${seconds} s (required: ${target})\n${details}`
}

if (values.help) process.stdout.write(usage)
else await main()
