// The regular expressions that stand in the sources, and how each may look at the same text again and again (scslre).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RegExpParser } from '@eslint-community/regexpp'
import { parseSync } from 'oxc-parser'
import { analyse } from 'scslre'
import { root, trackedFiles } from './checkout.ts'

/** An expression and where it stands. */
export interface Expression {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** The expressions of one source. */
export function expressionsIn(path: string, source: string): readonly Expression[] {
  const found: Expression[] = []
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, start } = node as {
      type?: unknown
      regex?: { pattern: string; flags: string }
      start?: number
    }
    if (type === 'Literal' && regex !== undefined)
      found.push({ path, line: source.slice(0, start).split('\n').length, text: `/${regex.pattern}/${regex.flags}` })
    for (const value of Object.values(node)) walk(value)
  }
  walk(parseSync(path, source).program)
  return found
}

/** The expressions of the whole program. */
export const expressions = (): readonly Expression[] =>
  [...trackedFiles('src'), ...trackedFiles('bin')]
    .filter((path) => /\.[tj]s$/.test(path))
    .flatMap((path) => expressionsIn(path, readFileSync(join(root, path), 'utf8')))

/** How an expression may look at the same text again and again; empty for none. */
export const slownessOf = (text: string): readonly string[] =>
  analyse(new RegExpParser().parseLiteral(text)).reports.map(
    ({ type, exponential }) => `${type}${exponential ? ', exponential' : ''}`,
  )

/** The expressions that take more than their share of time, each with where it stands and why. */
export const slowOnes = (all: readonly Expression[]): readonly string[] =>
  all.flatMap(({ path, line, text }) => slownessOf(text).map((how) => `${path}:${line} ${text} (${how})`))
