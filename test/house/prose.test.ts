// Defends how the documents read: a front page that people finish, short sentences, no source file in a page for users,
// and an index with every page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, trackedFiles } from '../support/checkout.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = trackedFiles('docs').filter((path) => path.endsWith('.md'))
const forUsers = pages.filter((path) => /^docs\/(guides|reference)\//.test(path))

/** A page without its blocks of code, its pictures and the addresses of its links. */
const prose = (text: string): string =>
  text
    .replace(/^```[\s\S]*?^```$/gm, '\n')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\]\([^)]*\)/g, ']')

const words = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/**
 * The sentences of a page: a paragraph, an item of a list or a cell of a table ends one too. Code counts as one word. A
 * quotation (`> `) is somebody else's text.
 */
function sentences(text: string): readonly string[] {
  const parts = prose(text)
    .replace(/^> .*$/gm, '')
    .replace(/`[^`]*`/g, 'code')
    .replace(/^#+ .*$/gm, '\n$&\n')
    .replace(/^\s*(?:[-*]|\d+\.) /gm, '\n\n')
    .replace(/^\s*\|.*\|$/gm, (row) => `\n\n${row.split('|').join('\n\n')}\n\n`)
    .split(/\n\s*\n/)
  return parts.flatMap((part) => part.trim().split(/(?<=[.?!]\**)\s+/)).filter((sentence) => sentence !== '')
}

describe('README.md', () => {
  const text = read('README.md')

  test('has at most 700 words of prose, and no line of more than 160 characters', () => {
    expect(words(prose(text))).toBeLessThanOrEqual(700)
    expect(text.split('\n').filter((line) => line.length > 160)).toEqual([])
  })

  test('shows what a command prints on its first screen', () => {
    const screen = text.split('\n').slice(0, 40)
    expect(screen.findIndex((line) => line.startsWith('$ shipx '))).toBeGreaterThan(0)
    expect(screen.some((line) => /^[A-Z].*₹\d/.test(line))).toBe(true)
  })
})

describe('a page for users', () => {
  test.each(['README.md', 'docs/README.md', ...forUsers])('%s has no sentence of more than 25 words', (page) => {
    const all = sentences(read(page))
    expect(all.length).toBeGreaterThan(5)
    expect(all.filter((sentence) => words(sentence) > 25)).toEqual([])
  })

  test.each(forUsers)('%s names no source file', (page) => {
    expect(read(page).match(/\bsrc\/\S*/g) ?? []).toEqual([])
  })
})

test('docs/README.md lists every page', () => {
  const index = read('docs/README.md')
  const listed = [...index.matchAll(/\]\(([\w/.-]+\.md)\)/g)].map((match) => `docs/${match[1]!}`)
  expect(pages.filter((path) => path !== 'docs/README.md' && !listed.includes(path))).toEqual([])
})
