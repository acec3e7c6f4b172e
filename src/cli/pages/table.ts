// Tables of HTML pages: the figures behind a chart, which open below it, for readers who prefer tables or cannot see
// the chart; and tables that are always open.
import { html, type Html } from './html.ts'

/** A column of figures. */
export interface Column<F> {
  readonly header: string
  readonly show: (figures: F) => string
  /** Its cells are no figures: sentences, or a name or a day. */
  readonly text?: true | 'name'
}

/** A line of a table. */
export interface Line<F> {
  readonly name: string
  readonly figures: F
}

/** What a table has: its caption, the heading of its first column, the other columns, and its lines. */
type Parts<F> = readonly [caption: string, first: string, columns: readonly Column<F>[], lines: readonly Line<F>[]]

/** A table that opens from its summary line; `first` is the heading of its first column. */
export const table = <F>(...parts: Parts<F>): Html =>
  html`<details>
    <summary>Figures as a table</summary>
    ${openTable(...parts)}
  </details>`

/** A table that is always open, on paper too. */
export function openTable<F>(...[caption, first, columns, lines]: Parts<F>): Html {
  // Keyboard users can scroll only an element that takes the focus.
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${first}</th>
          ${columns.map(({ header, text }) => html`<th scope="col" ${beginOf(text)}>${header}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ name, figures }) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${columns.map(({ show, text }) => html`<td ${beginOf(text)}>${show(figures)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Cells that begin on the left; those of sentences are wide. */
const begin: Readonly<Record<'true' | 'name', Html>> = {
  true: { html: 'class="words"' },
  name: { html: 'class="name"' },
}

/** How a cell of a column begins; nothing for figures. */
const beginOf = (text: Column<never>['text']): Html | undefined => (text === undefined ? undefined : begin[`${text}`])
