// Defends the commands of profiles: what is set, shown, used, removed and refused.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { box, home, config, environment, shipx, stored, store, type Stored } from './userhome.ts'
import { first } from '../../support/size.ts'

describe('profile', () => {
  test('set, show, list, use and remove', { tags: ['full'] }, async () => {
    const ok = async (line: string): Promise<string> => {
      const { exit, stderr } = await shipx(line)
      expect([line, exit]).toEqual([line, 0])
      return stderr
    }
    expect(await ok('profile set warehouse.mumbai WHYYB5')).toContain('warehouse.mumbai of profile default: WHYYB5')
    await ok('profile set base_url https://api.example.com/custom/api/v1/')
    await ok('profile set origin 400001')
    await ok('profile set format json')
    await ok('profile set database mine.sqlite --profile local')
    await ok('profile set local.warehouse.pune WH2')
    await ok('profile set beta.format csv --dry-run')
    expect(stored()).toEqual({
      current: 'default',
      profiles: {
        default: {
          warehouse: { mumbai: 'WHYYB5' },
          base_url: 'https://api.example.com',
          origin: '400001',
          format: 'json',
        },
        local: { database: join(home, 'mine.sqlite'), warehouse: { pune: 'WH2' } },
      },
    })
    const { stdout } = await box.shipx(['profile', 'set', 'local.warehouse.pune', '', '--json'], { env: environment() })
    expect(JSON.parse(stdout)).toMatchObject({ data: { name: 'local', warehouse: {} } })
    expect(stored().profiles['local']).toEqual({ database: join(home, 'mine.sqlite') })
    const listed = JSON.parse((await shipx('profile list --json')).stdout) as {
      data: { name: string; current: boolean }[]
    }
    expect(listed.data.map(({ name, current }) => [name, current])).toEqual([
      ['default', true],
      ['local', false],
    ])
    await ok('profile use local')
    expect((await shipx('profile show --ids')).stdout).toBe('local\n')
    expect(await ok('profile remove local --yes')).toContain('no profile is current now')
    expect(stored()).toMatchObject({ profiles: { default: {} } })
    expect(Object.hasOwn(stored(), 'current')).toBe(false)
    expect((await shipx('profile show')).exit).toBe(3)
  })

  test.each(
    first(4, [
      ['profile set orign 400001', 2, /Did you mean origin\?/],
      ['profile set acme.orign 400001', 2, /Did you mean origin\?/],
      ['profile set key sxk_secret', 2, /shipx auth login/],
      ['profile set origin 40001', 2, /40001 has 5 digits/],
      ['profile set format jason', 2, /Did you mean json\?/],
      ['profile set base_url http://example.com', 2, /https/],
      ['profile set auth_scheme basic', 2, /bearer, bare/],
      ['profile set warehouse WH1', 2, /warehouse\.mumbai/],
      ['profile set warehouse.__proto__ WH1', 2, /letters/],
      ['profile set a.b.c.d x', 2, /is not a field/],
      ['profile set __proto__.origin 400001', 2, /not a name of a profile/],
      ['profile set origin 400001 --profile a/b', 2, /not a name of a profile/],
      ['profile set a.origin 400001 --profile b', 2, /two profiles/],
      ['profile set', 2, /<field>/],
      ['profile use nothing', 3, /there is no profile nothing/],
      ['profile remove acme', 8, /--yes/],
      ['profile remove acne --yes', 3, /Did you mean acme\?/],
    ]),
  )('%s is refused', async (line, exit, says) => {
    store({ profiles: { acme: {} } })
    const outcome = await shipx(line)
    expect([outcome.exit, outcome.stdout]).toEqual([exit, ''])
    expect(outcome.stderr).toMatch(says)
    expect(outcome.stderr).not.toContain('sxk_secret')
    expect(stored()).toEqual({ profiles: { acme: {} } })
  })

  test.each(
    first(2, [
      ['no JSON', '{"profiles":', /not valid JSON/],
      ['empty', '', /not valid JSON/],
      ['a list', '[]', /not hold a JSON object/],
      ['a profile that is none', '{"profiles":{"a":1}}', /profile a is not an object/],
      ['a field that is no text', '{"profiles":{"a":{"base_url":1}}}', /"base_url" of profile a is not text/],
      ['a format that is none', '{"profiles":{"a":{"format":"xml"}}}', /"format" of profile a/],
    ]),
  )('a broken file is named and left alone: %s', async (_, content, says) => {
    store({ profiles: {} })
    writeFileSync(config, content)
    for (const line of ['profile list', 'profile set origin 400001', 'stores list']) {
      const { exit, stderr } = await shipx(line)
      expect([line, exit]).toEqual([line, 2])
      expect(stderr).toContain(config)
      expect(stderr).toMatch(says)
    }
    expect(readFileSync(config, 'utf8')).toBe(content)
  })

  test('fields of a newer shipx survive a change', async () => {
    store({ later: 1, profiles: { acme: { colour: 'blue' } } } as unknown as Stored)
    await shipx('profile set acme.origin 400001')
    expect(stored()).toEqual({ later: 1, current: 'acme', profiles: { acme: { colour: 'blue', origin: '400001' } } })
  })
})
