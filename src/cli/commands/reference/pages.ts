// `shipx help docs`: the pages that are installed with shipx, and where they are.
import type { Layout } from '../../help/help.ts'
import type { Installed } from '../../source/packagefiles.ts'
import { safe } from '../../terminal/safe.ts'
import { fitted } from '../../terminal/wrap.ts'

/** The topic that lists the pages. */
export const pagesTopic = 'docs'

/** The pages for users, by the tables of their list, under the headings of these tables. */
export function pagesIn({ list, folder }: Installed['pages'], { paint, columns }: Layout): string {
  if (list === undefined) return `\nThis package has no folder ${safe(folder ?? 'docs')}.\n`
  const place = folder === undefined ? 'share/doc/shipx of the download, which is not here' : safe(folder)
  const shelves = list
    .split(/^## /m)
    .slice(1)
    .map((shelf) => ({
      heading: shelf.slice(0, shelf.indexOf('\n')),
      pages: [...shelf.matchAll(/^\| \[[^\]|]+\]\(([^)|]+)\) *\| ([^|\n]+)\|$/gm)].map(
        ([, path = '', about = '']) => [path, about.trim().replaceAll('`', '')] as const,
      ),
    }))
    // Those for people who change shipx are in the folder too.
    .filter(({ pages }) => pages.some(([path]) => !path.startsWith('inside/')))
  const width = Math.max(...shelves.flatMap(({ pages }) => pages.map(([path]) => path.length)))
  const sections = shelves.map(({ heading, pages }) =>
    [paint.bold(heading), ...pages.map(([path, about]) => `  ${path.padEnd(width)}  ${about}`)].join('\n'),
  )
  // The path of the folder stays whole, to be copied.
  return `\nThey are in\n  ${place}\n\n${fitted(`${sections.join('\n\n')}\n`, columns)}`
}
