// The tree at the head of docs/inside/architecture.md has every folder of the sources, each with its rule of one line.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** The folders that the tree names, by their indents, with what it says about each. */
function drawn(): ReadonlyMap<string, string> {
  const [, text = ''] =
    /```text\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs', 'inside', 'architecture.md'), 'utf8')) ?? []
  const above: string[] = []
  const folders = new Map<string, string>()
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, indent, name, rule] = /^( *)(\S+)\/ +(.*)$/.exec(line) ?? []
    const depth = indent!.length / 2
    above.splice(depth, Infinity, name!)
    folders.set(above.join('/'), rule!)
  }
  return folders
}

test('the tree in docs/inside/architecture.md has every folder of src, with a rule of one line', () => {
  const there = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath }) => parentPath.slice(root.length + 1).replaceAll('\\', '/'))
  const found = [...drawn()].filter(([folder]) => folder.startsWith('src/'))
  expect(found.map(([folder]) => folder).toSorted()).toEqual([...new Set(there)].toSorted())
  for (const [, rule] of found) expect(rule.length).toBeGreaterThan(15)
})
