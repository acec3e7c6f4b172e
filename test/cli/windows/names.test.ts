// Defends names and places on Windows, with its rules for paths in place of ours.
import { win32 } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { attachmentsOf } from '../../../src/cli/commands/disputes/attachments.ts'
import type { Context } from '../../../src/cli/command/context.ts'
import type { Evidence } from '../../../src/engine/money/evidence.ts'
import { configPath } from '../../../src/cli/config/profiles.ts'
import { fileNameOf, noDevice } from '../../../src/cli/files/filenames.ts'
import { dataFolder } from '../../../src/cli/files/folders.ts'
import { completionPlace, shellOf, withoutBlock, blockOf, hasBlock } from '../../../src/cli/help/installplace.ts'
import { asciiOnly } from '../../../src/cli/terminal/colour.ts'
import { pagerOf } from '../../../src/cli/terminal/pager.ts'
import type { Io } from '../../../src/cli/terminal/io.ts'
import { scripts } from '../../../src/cli/help/scripts.ts'
import { powershellParser } from '../../support/powershell.ts'

vi.mock('node:path', async (original) => {
  const real = await original<typeof import('node:path')>()
  return { ...real.win32, default: real.win32, win32: real.win32 }
})
vi.mock('../../../src/cli/files/evidencefiles.ts', () => ({
  keptEvidence: () => Buffer.of(),
  evidenceKind: () => 'png',
}))
afterAll(() => {
  vi.doUnmock('node:path')
  vi.doUnmock('../../../src/cli/files/evidencefiles.ts')
})

const on = (env: Readonly<Record<string, string>>): Io =>
  ({ env, platform: 'win32', home: 'C:\\Users\\Asha', stdout: { tty: true } }) as unknown as Io

const usual = {
  LOCALAPPDATA: 'C:\\Users\\Asha\\AppData\\Local',
  APPDATA: 'C:\\Users\\Asha\\AppData\\Roaming',
}

describe('places', () => {
  test('data is local to the computer, profiles follow the user', () => {
    for (const env of [usual, {}, { LOCALAPPDATA: '', APPDATA: '' }]) {
      expect(dataFolder(on(env))).toBe('C:\\Users\\Asha\\AppData\\Local\\shipx')
      expect(configPath(on(env))).toBe('C:\\Users\\Asha\\AppData\\Roaming\\shipx\\config.json')
    }
  })

  test('a folder of the user’s own may be on a drive or a share, and must be whole', () => {
    for (const whole of ['D:\\shipx', '\\\\server\\share\\shipx'])
      expect(configPath(on({ SHIPX_CONFIG_DIR: whole }))).toBe(`${whole}\\config.json`)
    for (const part of ['shipx', 'D:shipx', '..\\shipx'])
      expect(() => configPath(on({ SHIPX_CONFIG_DIR: part }))).toThrow('write the whole path')
  })

  test('completion: the profile of PowerShell 7, with a quote in a path doubled', () => {
    expect(shellOf(on({}))).toBe('powershell')
    expect(shellOf(on({ SHELL: 'C:\\Program Files\\Git\\usr\\bin\\bash.exe' }))).toBe('bash')
    const { path, startup } = completionPlace(on({ SHIPX_DATA_DIR: "D:\\Asha's" }), 'powershell')
    expect(path).toBe("D:\\Asha's\\completion\\shipx.ps1")
    expect(startup!.path).toBe('C:\\Users\\Asha\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1')
    expect(startup!.lines).toBe(
      "if (Test-Path 'D:\\Asha''s\\completion\\shipx.ps1') { . 'D:\\Asha''s\\completion\\shipx.ps1' }",
    )
  })

  test('an editor that ends lines with \\r\\n made a second block of completion in the profile', () => {
    const before = 'Set-PSReadLineOption -EditMode Emacs\r\n'
    const profile = `${before}\n${blockOf('. shipx.ps1')}Clear-Host\n`.replace(/\r?\n/g, '\r\n')
    expect(hasBlock(profile, '. shipx.ps1')).toBe(true)
    expect(withoutBlock(profile)).toBe(`${before}Clear-Host\r\n`)
  })
})

describe('the terminal', () => {
  test('signs beyond ASCII only where the window draws them', () => {
    expect(asciiOnly(on({}))).toBe(true)
    expect(asciiOnly(on({ WT_SESSION: '1' }))).toBe(false)
    expect(asciiOnly(on({ TERM_PROGRAM: 'vscode' }))).toBe(false)
    expect(asciiOnly(on({ WT_SESSION: '1', SHIPX_ASCII: '1' }))).toBe(true)
  })

  test('the pager is more', () => {
    expect(pagerOf(on({ SHIPX_PAGER: '1' }))).toBe('more')
  })
})

describe('names of files that shipx makes', () => {
  /** What Windows takes as the name of a file, and gives back unchanged. */
  const taken = (name: string): boolean =>
    !/[<>:"/\\|?*\p{Cc}]|[. ]$/u.test(name) &&
    !/^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?$/i.test(name)

  test('no device, no sign that Windows refuses, no dot or blank at the end', () => {
    const names = [
      'CON',
      'nul',
      'Aux',
      'LPT9',
      'COM¹',
      'COM0',
      'a.',
      'a ',
      '<>:"|?*',
      'a/b\\c',
      '..',
      'NUL.txt',
      'x\u0000y',
    ]
    for (const name of names) expect([name, taken(`${fileNameOf(name, 'courier')}.csv`)]).toEqual([name, true])
    expect(win32.basename(fileNameOf('..\\..\\windows', 'courier'))).toBe('windows')
  })

  test.each(['con', 'AUX', 'Com1', 'lpt²'])('%s alone is a device', (name) => {
    expect(taken(`${name}.png`)).toBe(false)
    expect(taken(`${noDevice(name, 'file')}.png`)).toBe(true)
  })

  test('evidence of a parcel named AUX would have gone to a device', () => {
    const files = ['AUX', 'con', '…'].map((awb) => ({ awb, sha256: '', shows: 'aux', name: 'AUX' }) as Evidence)
    const named = files.map((one) => attachmentsOf({ io: on({}) } as Context, [one], [])[0]!.name)
    expect(named).toEqual(['AUX-file.png', 'con-AUX.png', 'AUX-file.png'])
  })

  test('a longer name is none: console', () => {
    expect(noDevice('console', 'file')).toBe('console')
  })
})

describe('the completion script of PowerShell', () => {
  test('is one by the grammar, with either end of line', async () => {
    const wrong = await powershellParser()
    const script = scripts['powershell']!
    expect(wrong(script)).toEqual([])
    expect(wrong(script.replaceAll('\n', '\r\n'))).toEqual([])
    // What the grammar has to see.
    for (const broken of [script.slice(0, -2), script.replace(`'ParameterValue'`, `'ParameterValue`)])
      expect(wrong(broken)).not.toEqual([])
  })

  test('the line in the profile is one too', async () => {
    const wrong = await powershellParser()
    const { startup } = completionPlace(on({ SHIPX_DATA_DIR: "D:\\Asha's & co" }), 'powershell')
    expect(wrong(blockOf(startup!.lines))).toEqual([])
  })
})
