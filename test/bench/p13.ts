// P13: messages rendered in one thread, short text, subject and e-mail of each, against the rate that is wanted.
import { renderMessage } from '../../src/delivery/render.ts'
import type { Brand } from '../../src/domain/messages/messages.ts'
import { sampleFacts } from '../../src/delivery/sample.ts'
import { customerSteps } from '../../src/domain/parcels/journeys.ts'
import { languages } from '../../src/domain/messages/templates.ts'
import { png } from '../support/pictures.ts'
import { say, type Figure } from './report.ts'
import type { Setup } from './setup.ts'
import { median } from './timing.ts'

/** Messages in a run, and how long they may take: 10,000 in a second. */
const count = 20_000
const wanted = count / 10

const brand: Brand = { brand_name: 'Acme Kids', logo_type: 'image/png', logo: png() }
const templates = languages.map((language) => ({ language, documents: [] }))

function renderAll(): void {
  for (let n = 0; n < count; n++) {
    const facts = sampleFacts(customerSteps[n % customerSteps.length]!, '2026-09-29T08:30:00Z')
    renderMessage({ ...facts, order: `ORDER-${n}` }, n % 4 === 0 ? undefined : brand, templates[n % 2]!, 'cid')
  }
}

/** The work of this thread alone, in ms, whatever else the machine does. */
function spent(): number {
  const before = process.cpuUsage()
  renderAll()
  return process.cpuUsage(before).user / 1000
}

export async function p13({ runs }: Setup): Promise<readonly Figure[]> {
  say(`P13: ${count.toLocaleString('en-IN')} messages`)
  spent()
  const ours = median(Array.from({ length: runs }, spent))
  return [
    {
      item: 'P13',
      work: `${count.toLocaleString('en-IN')} messages: text, subject, e-mail`,
      against: '10,000 a second',
      value: ours / wanted,
      unit: 'x',
      goal: 1,
      ours,
      theirs: wanted,
      runs,
      note: `user CPU; ${Math.round((count / ours) * 1000).toLocaleString('en-IN')} a second`,
    },
  ]
}
