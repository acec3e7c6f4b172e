// JSON text before it is parsed, in one pass: nesting, the number of values, the size of objects, and names that an object has
// twice, which a parser would forget; knows no endpoint.
import { maxDepth, maxFields, maxValues, tooMany } from './rawvalue.ts'

/**
 * What is wrong with a JSON text, as the rest of a sentence about it, or undefined: too deep, too many values, too many fields
 * in one object, or a name that stands twice in one, since a signature or a log may have read the other. What is not JSON is
 * left to the parser.
 */
export function jsonTextFault(text: string): string | undefined {
  // For each open level the names of its object so far; undefined for a list.
  const open: (Names | undefined)[] = []
  let names: Names | undefined
  // A comma counts the value after it, and what opens a list or an object counts the first value inside.
  let values = 1
  const more = (): boolean => ++values > maxValues
  // Whether a string that begins here is a name: after `{`, and after a comma inside an object.
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

/** The names of one object. Most objects have few, and a set for each of them is what a large body would cost. */
interface Names {
  readonly few: string[]
  many: Set<string> | undefined
}

/** So many names are looked through one by one. */
const few = 32

/** Where the string that begins at a quote ends; the text's end for one that does not. */
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
    return `holds the name \`${name.slice(0, 60)}\` twice in one object`
  if (names.many !== undefined) names.many.add(name)
  else if (names.few.push(name) > few) names.many = new Set(names.few)
  return (names.many?.size ?? 0) > maxFields ? `holds an object that ${tooMany(maxFields, 'fields')}` : undefined
}

function unescaped(written: string): string {
  try {
    return JSON.parse(written) as string
  } catch {
    return written
  }
}
