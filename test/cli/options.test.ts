// Options that verbs declare: each is a flag of its command, so that none is read that nobody can give.
import { expect, test } from 'vitest'
import type { TypedVerb } from '../../src/cli/args/options.ts'
import { flagOf } from '../../src/cli/args/options.ts'
import { verbOf } from '../../src/cli/commands/load.ts'
import { tree } from '../../src/cli/commands/table.ts'

test.each(tree.commands.map((command) => [command.path.join(' '), command] as const))(
  '%s reads flags that it has',
  async (_, command) => {
    const { options = {} } = (await verbOf(command)) as Partial<TypedVerb>
    const known = new Set([...command.flags, ...tree.globals].map(({ name }) => name))
    expect(
      Object.keys(options)
        .map(flagOf)
        .filter((name) => !known.has(name)),
    ).toEqual([])
  },
)

test.each(tree.commands.map((command) => [command.path.join(' '), command] as const))(
  '%s excludes flags and arguments that it has',
  (_, command) => {
    const known = new Set([
      ...[...command.flags, ...tree.globals].map(({ name }) => name),
      ...command.args.map(({ name }) => `<${name}>`),
    ])
    const excluded = command.flags.flatMap(({ excludes = [] }) => excludes)
    expect(excluded.filter((name) => !known.has(name))).toEqual([])
  },
)
