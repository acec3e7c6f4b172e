// `shipx help docs`: the pages that are installed with shipx, and where they are.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../help/help.ts'
import { safe } from '../../terminal/safe.ts'
import { fitted } from '../../terminal/wrap.ts'

/** The topic that lists the pages. */
export const pagesTopic = 'docs'

/** The pages for users in a folder, by the tables of its README.md, under the headings of these tables. */
export function pagesIn(folder: string, { paint, columns }: Layout): string {
  const list = join(folder, 'README.md')
  if (!existsSync(list)) return `\nThis package has no folder ${safe(folder)}.\n`
  const shelves = readFileSync(list, 'utf8')
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
  return `\nThey are in\n  ${safe(folder)}\n\n${fitted(`${sections.join('\n\n')}\n`, columns)}`
}
