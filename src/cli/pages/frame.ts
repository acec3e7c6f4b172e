// An HTML page in one file: no script, no font, no picture, no request.
import { istMinute } from '../../domain/time.ts'
import { showDay } from '../output/display.ts'
import { html, type Html } from './html.ts'
import { markOf, type PageCommand } from './pagefile.ts'
import { style } from './style.ts'

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** What a page is made of. */
interface Frame {
  /** The command that makes it. */
  readonly command: PageCommand
  readonly title: string
  readonly body: Html
}

/** The text of a page. It is well-formed, so XML parsers read it too. */
export function pageText({ command, title, body }: Frame): string {
  const page = html`<html lang="en-IN">
    <head>
      <meta charset="utf-8" />
      ${{ html: markOf(command) }}
      <meta http-equiv="Content-Security-Policy" content="${policy}" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>${title}</title>
      <style>
        ${{ html: style }}
      </style>
    </head>
    <body>
      ${body}
    </body>
  </html>`
  return `<!DOCTYPE html>\n${page.html.replace(/\n[ \t]+/g, '\n')}\n`
}

/** `30 Aug 2026, 14:00` in IST. */
export function moment(iso: string): string {
  const [date, time] = istMinute(Date.parse(iso)).split(' ')
  return `${showDay(date!)} ${date!.slice(0, 4)}, ${time!}`
}

/** A headline figure: its name, its value and what there is to say about it. */
export const figure = (name: string, value: string, detail: string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd class="figure">${value}</dd>
    <dd class="detail">${detail}</dd>
  </div>`
