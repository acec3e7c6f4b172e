// Defends the layout of a report's flow chart, by the geometry of what is drawn: words can be read wherever bands run.
import { expect, test } from 'vitest'
import { flowChart } from '../../src/cli/commands/report/charts.ts'
import type { Link, Stage } from '../../src/cli/commands/report/figures.ts'

const flow = (links: Readonly<Record<string, number>>): readonly Link[] =>
  Object.entries(links).map(([ends, shipments]) => {
    const [from, to] = ends.split(' ') as [Stage, Stage]
    return { from, to, shipments }
  })

const flows = {
  'every stage': flow({
    'created picked_up': 465,
    'created not_picked_up': 11,
    'created cancelled': 21,
    'created not_shipped': 3,
    'picked_up delivered': 371,
    'picked_up in_transit': 17,
    'picked_up out_for_delivery': 7,
    'picked_up ndr': 5,
    'picked_up rto': 58,
    'picked_up lost_or_other': 7,
    'rto rto_under_way': 3,
    'rto rto_delivered': 52,
    'rto rto_lost': 3,
  }),
  'hardly any picked up': flow({
    'created picked_up': 2,
    'created cancelled': 90_000,
    'picked_up ndr': 1,
    'picked_up rto': 1,
    'rto rto_lost': 1,
  }),
  'one line': flow({ 'created picked_up': 9, 'picked_up rto': 9, 'rto rto_delivered': 9 }),
  'nothing picked up': flow({ 'created not_picked_up': 7, 'created cancelled': 1 }),
}

const numbers = (text: string): number[] => [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map((match) => Number(match[0]))

/** What is drawn: bands, stages, and the boxes around words, which have no colour. */
function drawing(svg: string) {
  const paths = [...svg.matchAll(/<path d="([^"]+)" transform="translate\(([^)]+)\)" fill="([^"]+)"/g)]
  const shapes = paths.map(([, d = '', at = '', fill]) => ({ d, n: numbers(d), at: numbers(at), fill }))
  const rectangles = shapes
    .filter(({ d }) => !d.includes('C'))
    .map(({ n: [x = 0, y = 0, wide = 0, , , high = 0], at: [dx = 0, dy = 0], fill }) => ({
      left: x + dx,
      right: x + dx + wide,
      top: y + dy,
      bottom: y + dy + high,
      fill,
    }))
  const bands = shapes
    .filter(({ d }) => d.includes('C'))
    .map(({ n, at: [dx = 0, dy = 0] }) => ({
      left: n[0]! + dx,
      right: n[6]! + dx,
      tops: [n[1]! + dy, n[7]! + dy],
      bottoms: [n[15]! + dy, n[9]! + dy],
    }))
  const boxes = rectangles.filter(({ fill }) => fill === 'none')
  return { bands, boxes, stages: rectangles.filter(({ fill }) => fill !== 'none') }
}

test.each(
  Object.keys(flows).flatMap((name) =>
    (['full', 'phone'] as const).map((place) => [name as keyof typeof flows, place] as const),
  ),
)('no band and no other words cross the words of a stage: %s, %s', (name, place) => {
  const links = flows[name]
  const { bands, boxes, stages } = drawing(flowChart({ id: 'x', title: 't', description: 'd' }, links, place).html)
  const without = place === 'phone' && links.some(({ from }) => from !== 'created')
  const drawn = links.filter(({ from }) => !without || from !== 'created')
  const named = new Set(links.flatMap(({ from, to }) => (without && from === 'created' ? [to] : [from, to])))
  expect([bands.length, boxes.length, stages.length]).toEqual([drawn.length, named.size, named.size])
  const bottom = place === 'phone' ? 480 : 400
  for (const box of boxes) {
    expect([box, box.top >= 0 && box.bottom <= bottom]).toEqual([box, true])
    const middle = (box.top + box.bottom) / 2
    const own = stages.find(
      (stage) => Math.abs(stage.right - box.left) < 6 && stage.top - 1 <= middle && middle <= stage.bottom + 1,
    )!
    for (const band of bands) {
      const fromOwn =
        Math.abs(band.left - own.right) < 0.2 && band.tops[0]! > own.top - 0.2 && band.bottoms[0]! < own.bottom + 1.1
      if (fromOwn) continue
      for (let t = 0; t <= 1; t += 0.02) {
        // The handles of the curve are in the middle between its ends, at the height of the nearer one.
        const x = band.left + (band.right - band.left) * (1.5 * t * (1 - t) + t ** 3)
        const [top, end] = [band.tops, band.bottoms].map(([a, b]) => a! + (b! - a!) * (3 * t * t - 2 * t ** 3))
        const crosses = x > box.left && x < box.right && end! > box.top && top! < box.bottom
        expect([box, band, crosses]).toEqual([box, band, false])
      }
    }
    for (const other of boxes.filter((one) => one !== box)) {
      const beside = other.left >= box.right || box.left >= other.right
      expect([box, other, beside || other.top >= box.bottom || box.top >= other.bottom]).toEqual([box, other, true])
    }
  }
})
