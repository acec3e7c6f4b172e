// Defends the words of what an import would do with what is new in a file.
import { expect, test } from 'vitest'
import type { Context } from '../../../src/cli/command/context.ts'
import { deeds, planOf } from '../../../src/cli/imports/deeds.ts'
import { disputeAnswerImporter } from '../../../src/cli/imports/disputeanswers.ts'
import type { Importer, Target } from '../../../src/cli/imports/importer.ts'
import { answerImporter } from '../../../src/cli/imports/ndranswers.ts'
import type { ImportOptions } from '../../../src/cli/imports/options.ts'
import type { Checked } from '../../../src/cli/imports/validate.ts'

const context = { io: { host: { now: () => 0 } } } as unknown as Context
const target = { where: 'on this computer' } as Target<never>
const checked = { counts: { create: 3, unchanged: 1, conflict: 0, bad: 0 } } as Checked

test('answers of a sheet are set or saved, and not created', () => {
  const said = (kind: Pick<Importer<never>, 'noun' | 'deed'>): readonly [string, string] => {
    const plan = planOf(checked, {} as ImportOptions, kind.deed)
    return [deeds(kind as Importer<never>, target, plan, ''), plan.doing]
  }
  expect([said(disputeAnswerImporter(context, 'answers.csv')), said(answerImporter(context))]).toEqual([
    ['set 3 answers on this computer, leave 1 as it is', 'Setting'],
    ['save 3 answers on this computer, leave 1 as it is', 'Saving'],
  ])
})
