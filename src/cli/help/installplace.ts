// Where each shell looks for completion, and what is installed there. Reads files and changes none.
import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { scripts, shells } from './scripts.ts'
import { dataFolder } from '../files/folders.ts'
import { variable, type Io } from '../terminal/io.ts'
import { quoted } from '../terminal/safe.ts'

/** The completion file of a shell, and the lines for its startup file when the shell does not find it by itself. */
export interface CompletionPlace {
  readonly shell: string
  readonly path: string
  readonly startup: { readonly path: string; readonly lines: string } | undefined
}

/** The installed completion of a shell. */
export interface CompletionState {
  readonly shell: string
  readonly path: string
  /** The file exists, but no startup file loads it: the lines that a startup file needs. */
  readonly unloaded: CompletionPlace['startup']
  /** The file exists, and the shell finds it. */
  readonly installed: boolean
  /** The file is the script of this version of shipx. */
  readonly current: boolean
}

/** The user's shell according to the environment, if there is a script for it. */
export function shellOf(io: Io): string | undefined {
  const named = basename(variable(io, 'SHELL') ?? '').replace(/\.exe$/, '')
  const shell = named === 'pwsh' || (named === '' && io.platform === 'win32') ? 'powershell' : named
  return shells.includes(shell) ? shell : undefined
}

/** The place for the completion script of a shell. */
export function completionPlace(io: Io, shell: string): CompletionPlace {
  const { home, platform } = io
  const folder = (name: string, usual: string): string => {
    const own = variable(io, name)
    return own !== undefined && isAbsolute(own) ? own : join(home, usual)
  }
  const data = folder('XDG_DATA_HOME', '.local/share')
  if (shell === 'fish')
    return {
      shell,
      path: join(folder('XDG_CONFIG_HOME', '.config'), 'fish', 'completions', 'shipx.fish'),
      startup: undefined,
    }
  if (shell === 'bash') {
    const path = join(variable(io, 'BASH_COMPLETION_USER_DIR') ?? join(data, 'bash-completion'), 'completions', 'shipx')
    const startup = join(home, platform === 'darwin' ? '.bash_profile' : '.bashrc')
    // The bash-completion package looks there by itself, if the user has it loaded.
    const found = ['.bashrc', '.bash_profile', '.profile'].some((name) =>
      (textOf(join(home, name)) ?? '').split('\n').some((line) => line.split('#', 1)[0]!.includes('bash_completion')),
    )
    return {
      shell,
      path,
      startup: found ? undefined : { path: startup, lines: `[ -r ${quoted(path)} ] && source ${quoted(path)}` },
    }
  }
  if (shell === 'zsh') {
    const path = join(data, 'zsh', 'site-functions', '_shipx')
    const lines = [
      '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }',
      `[[ -r ${quoted(path)} ]] && source ${quoted(path)}`,
    ].join('\n')
    const found = (variable(io, 'FPATH') ?? '').split(':').includes(dirname(path))
    return { shell, path, startup: found ? undefined : { path: join(folder('ZDOTDIR', ''), '.zshrc'), lines } }
  }
  const path = join(dataFolder(io), 'completion', 'shipx.ps1')
  const word = `'${path.replaceAll("'", "''")}'`
  const profile =
    platform === 'win32'
      ? join(home, 'Documents', 'PowerShell')
      : join(folder('XDG_CONFIG_HOME', '.config'), 'powershell')
  return {
    shell,
    path,
    startup: { path: join(profile, 'Microsoft.PowerShell_profile.ps1'), lines: `if (Test-Path ${word}) { . ${word} }` },
  }
}

/** The lines for a startup file, between marks that shipx finds them by. */
export const blockOf = (lines: string): string => `# >>> shipx completion >>>\n${lines}\n# <<< shipx completion <<<\n`

/** Whether a startup file has the lines between our marks. */
export const hasBlock = (text: string, lines: string): boolean => text.replaceAll('\r\n', '\n').includes(blockOf(lines))

/** A startup file's text without our lines, which an editor may have ended in its own way. */
export const withoutBlock = (text: string): string =>
  text.replace(/(?:\r?\n)?^# >>> shipx completion >>>\r?\n[\s\S]*?^# <<< shipx completion <<<(?:\r?\n)?/m, '')

/** The text of a file, or undefined when there is none. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The installed completion of a shell: without a name, of the user's own shell; undefined when that is unknown. */
export function completionState(io: Io, shell = shellOf(io)): CompletionState | undefined {
  if (shell === undefined) return undefined
  const { path, startup } = completionPlace(io, shell)
  const there = textOf(path)
  const found = startup === undefined || hasBlock(textOf(startup.path) ?? '', startup.lines)
  const unloaded = there !== undefined && !found ? startup : undefined
  return { shell, path, unloaded, installed: there !== undefined && found, current: there === scripts[shell] }
}
