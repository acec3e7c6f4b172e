// Makes the page of both journeys from their tables (docs/reference/journeys.md): a drawing, and a row for each step.
import { forwardJourney, returnJourney, type Step } from '../domain/parcels/journeys.ts'

type Journey = Readonly<Record<string, readonly Step<string, string>[]>>

/** An edge for each pair of statuses, labelled with the events between them. */
function drawing(journey: Journey): string {
  const edges = new Map<string, string[]>()
  for (const [event, steps] of Object.entries(journey))
    for (const { from, to } of steps)
      for (const status of from) {
        const edge = `${status} --> ${to}`
        edges.set(edge, [...(edges.get(edge) ?? []), event])
      }
  return [...edges].map(([edge, events]) => `  ${edge}: ${events.join(', ')}`).join('\n')
}

function table(journey: Journey): string {
  const rows = Object.entries(journey).flatMap(([event, steps]) =>
    steps.map(({ from, to, milestones = [], attempt, reason, qc, tells = [] }) => {
      const sets = [
        ...milestones.map((milestone) => `milestone ${milestone}`),
        ...(attempt === undefined ? [] : [attempt === 'begins' ? 'begins an attempt' : 'ends an attempt']),
        ...(reason === undefined ? [] : [`${reason}_reason`]),
        ...(qc === undefined ? [] : [`qc_status ${qc}`]),
      ]
      return `| ${event} | ${from.join(', ')} | ${to} | ${sets.join(', ')} | ${tells.join(', ')} |`
    }),
  )
  return ['| event | from | to | sets | the customer gets |', '| - | - | - | - | - |', ...rows].join('\n')
}

const part = (title: string, journey: Journey): string =>
  `## ${title}\n\n${table(journey)}\n\n\`\`\`mermaid\nstateDiagram-v2\n${drawing(journey)}\n\`\`\`\n`

/** The page, as Markdown that is not formatted yet. */
export const journeysPage = (): string =>
  [
    '# Journeys\n',
    'What each event of a courier changes. [Tracking](tracking.md) explains it.\n',
    part('Forward shipments', forwardJourney),
    part('Returns', returnJourney),
  ].join('\n')
