// `shipx doctor`: runs every check and prints the findings.
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { carriedOut, type Checked, type Status } from './check.ts'
import { checks } from './checks.ts'
import { sceneOf } from './scene.ts'
import { checkShape, narrowed, printList } from '../../output/printer.ts'
import type { View } from '../../output/columns.ts'
import { jsonText } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'
import { say } from '../../output/outcome.ts'
import { fitted } from '../../terminal/wrap.ts'

const view: View<Checked> = plainView<Checked>(['check', 'checks'], ({ id }) => id, [
  'id',
  'title',
  'status',
  'found',
  'hint',
  'fixed',
])

const marks = { ok: ['✓', '+'], warn: ['!', '!'], fail: ['✗', 'x'] } as const
const tones = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** The widest title, so that each check can print before the others have run. */
const titleWidth = Math.max(...checks.map(({ title }) => title.length))

function lineOf({ title, status, found, hint, fixed }: Checked, { screen }: Context): string {
  const mark = screen.paint[tones[status]](marks[status][screen.ascii ? 1 : 0])
  const more = (arrow: string, text: string | null): string =>
    text === null ? '' : `\n${' '.repeat(4)}${arrow} ${text}`
  // On a narrow screen the finding has a line of its own.
  const head = screen.width < 60 ? `${mark} ${title}\n    ` : `${mark} ${title.padEnd(titleWidth)}  `
  const [done, next] = screen.ascii ? ['+', '->'] : ['✓', '→']
  return `${fitted(`${head}${found}`, screen.width)}${more(done, fixed)}${status === 'ok' ? '' : more(next, hint)}`
}

const count = (found: readonly Checked[], status: Status): number => found.filter((one) => one.status === status).length

const doctor = verb({ fix: flag }, async (context, { fix }) => {
  const { format, screen } = context
  refuse(context, [])
  checkShape(context, view)
  const scene = sceneOf(context)
  const drawn = format === 'plain' && screen.tty
  const found: Checked[] = []
  for (const check of checks) {
    const one = await carriedOut(check, scene, fix)
    if (one === undefined) continue
    found.push(one)
    if (drawn) await say(context, lineOf(one, context))
  }
  const [failed, warned] = [count(found, 'fail'), count(found, 'warn')]
  if (drawn) {
    const sum =
      failed === 0 && warned === 0
        ? 'Everything is as it should be.'
        : `${failed} failed, ${warned} to look at, ${found.length - failed - warned} fine`
    await context.note(`\n${sum}`)
  } else await print(context, found)
  return failed === 0 ? 0 : 1
})

async function print(context: Context, found: readonly Checked[]): Promise<void> {
  if (context.format === 'json') {
    const data = { checks: narrowed(context, view, found) }
    await context.io.stdout.write(`${jsonText({ data }, context.screen.tty)}\n`)
    return
  }
  await printList(context, view, found)
}

export const verbs = { doctor }
