// A page of the documentation as somebody at a terminal would follow it: one session of bash from top to bottom, in an empty home.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { png } from './pictures.ts'
import { codeEnv, writeLauncher } from './program.ts'

/** A home with nothing in it, and how commands are run there. */
export interface Home {
  readonly path: string
  /** Runs a script of bash. */
  readonly run: (script: string) => { status: number | null; stdout: string; stderr: string }
  readonly remove: () => void
}

export function emptyHome(): Home {
  const path = mkdtempSync(join(tmpdir(), 'shipx-page-'))
  const bin = join(path, '.bin')
  mkdirSync(bin)
  writeLauncher(bin)
  writeFileSync(join(path, 'logo.png'), png())
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: path,
    ...codeEnv(),
    LC_ALL: 'C.UTF-8',
    NO_COLOR: '1',
    SHIPX_NOW: '2026-09-29T08:30:00Z',
    SHIPX_FORCE_TTY: '100',
  }
  const run = (script: string) =>
    spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: path, env, maxBuffer: 1e8, timeout: 240_000 })
  return { path, run, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** What stands between the fences of one language. */
export const blocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map((match) => match[1]!)

/** A command whose output goes elsewhere than to the terminal. */
const wide = (script: string): string =>
  /shipx[^|>]*[|>]/.test(script.replace(/"[^"]*"|'[^']*'/g, ''))
    ? 'unset SHIPX_FORCE_TTY'
    : 'export SHIPX_FORCE_TTY=100'

/** A command of a page, and how it ended. */
export interface Ran {
  readonly line: string
  readonly status: number
  readonly printed: string
}

/** A page that was followed: as it should be written, and how each command and each block ended. */
export interface Followed {
  readonly page: string
  readonly ran: readonly Ran[]
}

/** Without what differs from run to run. */
const settled = (printed: string, home: string, ports: readonly (readonly [number, number])[]): string =>
  ports
    // As a number of its own: the digits of a port may be in an AWB.
    .reduce((text, [from, to]) => text.replace(new RegExp(`\\b${from}\\b`, 'g'), String(to)), printed)
    .replaceAll(home, '~')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '6f0c2b9e-2f0a-4c57-9d52-3c1e8a7f0e21')
    .replace(/[^\S\n]+$/gm, '')

type Language = 'console' | 'sh' | 'bash'

/**
 * Follows a page, or its blocks of some languages. Of a block of console each `$ ` line is a command (lines `> ` below it go on
 * with it), and what it prints belongs to the page. A block of sh is run as it is. A block of bash, too, with a deployment to ask.
 */
export async function follow(
  text: string,
  languages: readonly Language[] = ['console', 'sh', 'bash'],
): Promise<Followed> {
  const home = emptyHome()
  const port = await freePort()
  const other = await freePort()
  const pieces = text.split(/^(```(?:console|sh|bash)\n[\s\S]*?^```$)/m)
  const commands: { line: string; piece: number; script: string }[] = []
  for (const [piece, block] of pieces.entries()) {
    const [, language, inside] = /^```(console|sh|bash)\n([\s\S]*?)```$/.exec(block) ?? []
    if (inside === undefined || !languages.includes(language as Language)) continue
    if (language === 'console') {
      const lines = inside.split('\n')
      for (let i = 0; i < lines.length; i++) {
        if (!lines[i]!.startsWith('$ ')) continue
        const typed = [lines[i]!]
        while (lines[i + 1]?.startsWith('> ')) typed.push(lines[++i]!)
        commands.push({ line: typed.join('\n'), piece, script: typed.map((line) => line.slice(2)).join('\n') })
      }
    } else {
      const asks =
        language === 'bash' ? `export SHIPX_BASE_URL=http://127.0.0.1:${other} SHIPX_API_KEY=$(cat ~/key.txt)\n` : ''
      commands.push({ line: inside, piece, script: `(set -eo pipefail\n${asks}${inside})` })
    }
  }
  const deployment =
    languages.includes('bash') && text.includes('```bash\n')
      ? `export SHIPX_DATA_DIR=~/.deployment; shipx local seed --quiet; shipx local warehouse set WH1 400001 --quiet
       shipx keys create default --quiet > ~/key.txt; shipx serve --quiet --port ${other} & unset SHIPX_DATA_DIR
       curl -s -o /dev/null --retry 40 --retry-connrefused --retry-delay 1 http://127.0.0.1:${other}/ready`
      : ''
  const script = commands
    .map(
      (command, i) =>
        `printf '\\036${i}\\n'; ${wide(command.script)}; (exit $ended)\n${command.script}\nended=$?; printf '\\037%s\\n' $ended`,
    )
    .join('\n')
    .replaceAll('8787', String(port))
    .replaceAll('https://api.example.com', `http://127.0.0.1:${other}`)
    .replace(/shipx serve(?! --port)(?= )/g, `shipx serve --port ${port}`)
  const { stdout: raw } = home.run(`exec 2>&1; ended=0\n${deployment}\n${script}\nkill $(jobs -p) 2> /dev/null; wait`)
  home.remove()
  // The number of a new order is made by chance.
  const made = /AWB (\d{14}) is not real/.exec(raw)?.[1]
  const stdout = made === undefined ? raw : raw.replaceAll(made, '7'.padEnd(made.length, '461785018104'))
  const ran = commands.map(({ line }, i): Ran => {
    const from = stdout.indexOf(`\x1e${i}\n`)
    const rest = stdout.slice(from + `\x1e${i}\n`.length)
    const [printed = '', status = ''] = rest.split('\x1f', 2)
    return {
      line,
      status: from === -1 || status === '' ? -1 : Number.parseInt(status, 10),
      printed: settled(printed, home.path, [
        [port, 8787],
        [other, 443],
      ]),
    }
  })
  const page = pieces.map((block, piece) => {
    if (!commands.some((command) => command.piece === piece) || !block.startsWith('```console\n')) return block
    const shown = ran.filter((_, i) => commands[i]!.piece === piece)
    const text = shown
      .map(({ line, printed }) => `${line}\n${printed === '' ? '' : `${printed.trimEnd()}\n\n`}`)
      .join('')
    return `\`\`\`console\n${text.trimEnd()}\n\`\`\``
  })
  return { page: page.join(''), ran }
}
