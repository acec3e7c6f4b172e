// Defends --fields: a table of cells holds what was named and nothing beside it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'

let box: Sandbox
beforeAll(async () => {
  box = sandbox()
  expect((await box.shipx(['local', 'seed', '--shipments', '3', '--returns', '3', '--quiet'])).exit).toBe(0)
})
afterAll(() => box.remove())

const header = async (kind: string, ...more: readonly string[]): Promise<readonly string[]> =>
  (await box.shipx([kind, 'list', '--quiet', ...more])).stdout
    .split(/\r?\n/)[0]!
    .replace(/^\ufeff/, '')
    .split(/[,\t]/)

test.each(first(1, ['shipments', 'returns']))(
  '--fields attributes of %s adds no empty id and type columns',
  async (kind) => {
    for (const format of ['--csv', '--tsv', '--excel']) {
      const [all, attributes] = [await header(kind, format), await header(kind, format, '--fields', 'attributes')]
      expect(attributes).toEqual(all.filter((name) => name !== 'id' && name !== 'type'))
      expect(await header(kind, format, '--fields', 'id,attributes')).toEqual(['id', ...attributes])
      // The same where there is no record to tell by.
      const none = await header(kind, format, '--fields', 'attributes', '--search', 'nothing-has-this')
      expect(none.filter((name) => name === 'id' || name === 'type')).toEqual([])
      expect(none.length).toBeGreaterThan(10)
    }
  },
)
