// Defends `shipx init`: sample data or a deployment, asked for or by flags, and the commands that it names next.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../../support/service.ts'
import { keys } from '../../support/pty.ts'
import { freshBox, on, answers, wide } from './terminals.ts'

describe('shipx init', () => {
  test('tries it here, and does so once', async () => {
    const own = freshBox()
    const first = on(['init'], wide, own)
    await first.shows('? How do you want to start?')
    first.type(keys.enter)
    await first.shows('? Your pickup pincode')
    first.type(`400001${keys.enter}`)
    expect(await first.ended()).toBe(0)
    const screen = first.screen()
    expect(screen).toContain('Added 500 shipments, 80 returns and 6 stores of sample data')
    expect(screen).toContain('shipx completion install')
    const commands = screen
      .split('Next:')[1]!
      .trim()
      .split('\n')
      .map((line) => line.trim())
    expect(commands).toHaveLength(3)
    for (const command of commands) expect([command, (await own.bash(command)).exit]).toEqual([command, 0])
    const again = on(['init'], wide, own)
    await again.shows('? How do you want to start?')
    again.type(keys.enter)
    expect(await again.ended()).toBe(0)
    expect(again.screen()).toContain(
      'Nothing was added: there are 500 shipments, 80 returns and 6 stores on this computer already',
    )
    expect(again.screen()).not.toContain('pickup pincode')
  })

  describe('connects a deployment', () => {
    let service: TestService
    beforeAll(async () => {
      service = await startService({ readers: 0 })
    })
    afterAll(() => service.close())

    test(
      'by its address, a key that is never shown, and a name; and keeps that when it is run again',
      { tags: ['full'] },
      async () => {
        const own = freshBox()
        const terminal = on(['init'], wide, own)
        await terminal.shows('? How do you want to start?')
        terminal.type(`${keys.down}${keys.enter}`)
        await terminal.shows('? Address of your account')
        terminal.type(`ftp://x${keys.enter}`)
        await terminal.shows('✗ The address')
        terminal.type(`${keys.back.repeat(7)}${service.url}${keys.enter}`)
        await answers(terminal, [
          ['? Name of its profile (default)', 'acme'],
          ['? API key for', service.key],
          ['pickup pincode', ''],
          ['? Id of your warehouse', 'WH9'],
        ])
        expect(await terminal.ended()).toBe(0)
        expect(terminal.raw()).not.toContain(service.key)
        const commands = terminal
          .screen()
          .split('Next:')[1]!
          .trim()
          .split('\n')
          .map((line) => line.trim())
        for (const command of commands) expect([command, (await own.bash(command)).exit]).toEqual([command, 0])
        const profile = JSON.parse((await own.shipx(['profile', 'show', '--json'])).stdout) as { data: object }
        expect(profile.data).toMatchObject({ name: 'acme', base_url: service.url, warehouse: { main: 'WH9' } })
        const again = await own.shipx(['init', '--base-url', service.url, '--origin', '110001', '--json'])
        expect(again.exit).toBe(0)
        expect(JSON.parse(again.stdout)).toMatchObject({
          data: { source: 'deployment', profile: 'acme', origin: '110001' },
        })
      },
    )

    test('in a script', async () => {
      const own = freshBox()
      const { exit, stderr } = await own.shipx(['init', '--base-url', service.url, '--with-token'], {
        input: service.key,
      })
      expect([exit, stderr.includes('Signed in to'), stderr.includes(service.key)]).toEqual([0, true, false])
    })
  })

  test('without a terminal takes flags, or names them', { tags: ['full'] }, async () => {
    const own = freshBox()
    const bare = await own.shipx(['init'])
    expect([bare.exit, bare.stdout]).toEqual([2, ''])
    expect(bare.stderr).toContain('--sample')
    expect(bare.stderr).toContain('--base-url')
    expect((await own.shipx(['init', '--sample', '--base-url', 'https://x.example'])).exit).toBe(2)
    expect((await own.shipx(['init', '--sample', '--origin', '4'])).stderr).toContain('--origin: 4 has 1 digit')
    const seeded = await own.shipx(['init', '--sample', '--origin', '400001', '--json'])
    expect(JSON.parse(seeded.stdout)).toMatchObject({ data: { seeded: true, shipments: 500, origin: '400001' } })
  })
})
