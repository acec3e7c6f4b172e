// The user's own aliases: a first word that stands for the beginning of a command line. Read only when the first word
// of a line is no command.
import { invalid } from '../../domain/errors.ts'
import { readProfiles } from '../config/profiles.ts'
import type { Tree } from '../command/tree.ts'
import type { Io } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'
import { shortForms, wordPlaces } from './otherwords.ts'

/** The aliases of this user: the line of each name. Throws `invalid_file` for a broken file of profiles. */
export const aliasesOf = (io: Io): Readonly<Record<string, string>> => readProfiles(io).aliases ?? {}

/** Whether a word has a meaning of its own as the first word, so that no alias can have its name. */
export const isOwnWord = (tree: Tree, word: string): boolean =>
  tree.commands.some(({ path }) => path[0] === word) || Object.hasOwn(shortForms, word) || word === 'version'

/**
 * The words of a line as a shell would read them, with quotes and backslashes but without variables; undefined when a
 * quote has no end.
 */
export function shellWords(line: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!
    if (quote !== '') {
      if (char === quote) quote = ''
      else if (quote === '"' && char === '\\' && /["\\]/.test(line[at + 1] ?? '')) word += line[++at]!
      else word += char
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word ??= ''
      if (char === '"' || char === "'") quote = char
      else if (char === '\\' && at + 1 < line.length) word += line[++at]!
      else word += char
    }
  }
  if (quote !== '') return undefined
  return word === undefined ? words : [...words, word]
}

const placeholder = /\$([1-9])/g

/** The highest placeholder in the words of an alias: how many words have to follow it. */
export const wordsNeeded = (words: readonly string[]): number =>
  Math.max(0, ...words.flatMap((word) => [...word.matchAll(placeholder)].map((match) => Number(match[1]))))

/**
 * The command line with the alias in it written out: `$1` becomes the first word after the alias, other words and flags
 * follow. Undefined when the first word is not an alias. Throws `invalid_input` when a placeholder has no word.
 */
export function expanded(tree: Tree, argv: readonly string[], io: Io): readonly string[] | undefined {
  const place = wordPlaces(tree, argv)[0]
  const name = argv[place ?? -1]
  if (place === undefined || name === undefined || isOwnWord(tree, name)) return undefined
  const aliases = aliasesOf(io)
  const words = Object.hasOwn(aliases, name) ? shellWords(aliases[name]!) : undefined
  if (words === undefined) return undefined
  const rest = argv.slice(place + 1)
  const taken = wordPlaces(tree, rest).slice(0, wordsNeeded(words))
  const helping = rest.some((word) => word === '--help' || word === '-h')
  if (taken.length < wordsNeeded(words) && !helping)
    throw invalid(
      [{ field: `$${taken.length + 1}`, message: `is missing: ${safe(name)} stands for ${safe(aliases[name]!)}` }],
      `shipx ${name}${Array.from({ length: wordsNeeded(words) }, (_, i) => ` <${i + 1}>`).join('')}`,
    )
  const filled = words.map((word) =>
    word.replace(placeholder, (own, n: string) => rest[taken[Number(n) - 1] ?? -1] ?? own),
  )
  return [...filled, ...argv.slice(0, place), ...rest.filter((_, at) => !taken.includes(at))]
}
