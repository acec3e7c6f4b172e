// A file of templates as people write it: lines under headings. Every line is the same in the message, so that a fault
// has the line and column that an editor shows (docs/guides/messages.md).
import { withoutEnd } from '../domain/textends.ts'
import { customerSteps } from '../domain/parcels/journeys.ts'
import { wordingParts, type TemplateDocument } from '../domain/messages/templates.ts'

/** The lines under a heading, and where they start; `line` counts from 1. */
export interface Section {
  readonly heading: string
  /** The heading's own line. */
  readonly line: number
  /** The lines without the empty ones around them, and the number of the first. */
  readonly text: string
  readonly begins: number
}

const mark = '==='

/** The sections of a file; the text before the first heading is a section without a name. */
export function sectionsOf(file: string): readonly Section[] {
  const lines = file.replace(/^\ufeff/, '').split(/\r\n|\n/)
  const sections: Section[] = []
  let [heading, line, from] = ['', 0, 0]
  const close = (to: number): void => {
    let [first, last] = [from, to]
    while (first < last && lines[first]!.trim() === '') first++
    while (last > first && lines[last - 1]!.trim() === '') last--
    sections.push({ heading, line, text: lines.slice(first, last).join('\n'), begins: first + 1 })
  }
  for (const [n, one] of lines.entries()) {
    if (!one.startsWith(mark)) continue
    close(n)
    ;[heading, line, from] = [
      withoutEnd(one.slice(mark.length).trimEnd(), '=').trim().replace(/\s+/g, ' '),
      n + 1,
      n + 1,
    ]
  }
  close(lines.length)
  return sections
}

/** A document as a file, which `readTemplate` reads back to the same document. */
export function fileOf({ language, dlt, steps, layout }: TemplateDocument): string {
  const section = (heading: string, text: string): string => `${mark} ${heading}\n${text.trim()}\n`
  const ids = Object.entries(dlt?.template_ids ?? {}).map(([step, id]) => `${step}: ${id}`)
  const registered =
    dlt === undefined
      ? []
      : [section('dlt', [`entity_id: ${dlt.entity_id}`, `header: ${dlt.header}`, ...ids].join('\n'))]
  const written = customerSteps.flatMap((step) =>
    wordingParts.flatMap((part) => {
      const text = steps[step]?.[part]
      return text === undefined ? [] : [section(`${step} ${part}`, text)]
    }),
  )
  const page = layout === undefined ? [] : [section('layout', layout)]
  const note =
    '# Messages to customers. A missing section keeps its default text. docs/guides/messages.md lists the variables.'
  const head = `${note}\nlanguage: ${language}\n`
  return [head, ...registered, ...written, ...page].join('\n')
}
