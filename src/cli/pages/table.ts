// Tables of HTML pages: the figures behind a chart, which open below it, for readers who prefer tables or cannot see
// the chart; and tables that are always open.
import { html, type Html } from './html.ts'

/** A column of figures. */
export interface Column<F> {
  readonly header: string
  readonly show: (figures: F) => string
  /** Its cells are words and no figures. */
  readonly text?: true
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
          ${columns.map(({ header, text }) => html`<th scope="col" ${text === true && words}>${header}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ name, figures }) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${columns.map(({ show, text }) => html`<td ${text === true && words}>${show(figures)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Cells of words are wide, and begin on the left. */
const words: Html = { html: 'class="words"' }
