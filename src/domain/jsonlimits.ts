// Checks JSON text in one pass before it is parsed: nesting, the number of values, the size of objects, and repeated
// names, which a parser would drop.
import { maxDepth, maxFields, maxValues, tooMany } from './rawvalue.ts'

/**
 * What is wrong with a JSON text, as the rest of a sentence about it, or undefined: too deep, too many values, too many
 * fields in one object, or a name twice in one object, since a signature or a log may have read the other value. Text
 * that is not JSON is left to the parser.
 */
export function jsonTextFault(text: string): string | undefined {
  // The names so far of each open object; undefined for a list.
  const open: (Names | undefined)[] = []
  let names: Names | undefined
  // A comma counts the value after it; an opening bracket counts the first value inside.
  let values = 1
  const more = (): boolean => ++values > maxValues
  // Whether a string that starts here is a name: after `{`, and after a comma inside an object.
  let named = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const start = at
        at = endOf(text, at)
        if (!named || names === undefined) break
        named = false
        const fault = added(names, text.slice(start, at + 1))
        if (fault !== undefined) return fault
        break
      }
      case 123:
      case 91:
        if (more()) return tooMany(maxValues, 'values')
        if (open.length >= maxDepth) return `is nested deeper than ${maxDepth} levels`
        named = text.charCodeAt(at) === 123
        names = named ? { few: [], many: undefined } : undefined
        open.push(names)
        break
      case 125:
      case 93:
        open.pop()
        names = open.at(-1)
        named = false
        break
      case 44:
        if (more()) return tooMany(maxValues, 'values')
        named = names !== undefined
    }
  }
  return undefined
}

const [quote, backslash] = [34, 92]

/** The names of one object. Most objects have few: a set for each would make a large body expensive. */
interface Names {
  readonly few: string[]
  many: Set<string> | undefined
}

/** Up to this many names are compared one by one. */
const few = 32

/** Where the string that starts at a quote ends; the end of the text when it does not end. */
function endOf(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === backslash) at++
    else if (sign === quote) return at
  }
  return text.length
}

/** Adds a name, as it is written in quotes, to the others of its object. */
function added(names: Names, written: string): string | undefined {
  const name = written.includes('\\') ? unescaped(written) : written.slice(1, -1)
  if (names.many === undefined ? names.few.includes(name) : names.many.has(name))
    return `has the name \`${name.slice(0, 60)}\` twice in one object`
  if (names.many !== undefined) names.many.add(name)
  else if (names.few.push(name) > few) names.many = new Set(names.few)
  return (names.many?.size ?? 0) > maxFields ? `contains an object that ${tooMany(maxFields, 'fields')}` : undefined
}

function unescaped(written: string): string {
  try {
    return JSON.parse(written) as string
  } catch {
    return written
  }
}
