// Questions as plain lines, for screen readers and simple terminals: shipx redraws nothing, moves no cursor, and
// numbers the choices.
import { createInterface } from 'node:readline'
import type { Io } from '../terminal/io.ts'
import { safe, safeText } from '../terminal/safe.ts'
import { cancelled, type Asker, type Choice, type LineQuestion } from './asker.ts'

/** The asker that uses plain lines. */
export function plainAsker(io: Io): Asker {
  const say = (text: string): Promise<void> => io.stderr.write(`${text}\n`)
  /** Asks until the answer is accepted. */
  const until = async (
    read: Reader,
    message: string,
    fault: LineQuestion['fault'],
    suggestion = '',
  ): Promise<string> => {
    for (;;) {
      const typed = await read(io, suggestion === '' ? `${message}: ` : `${message} (Enter for ${safe(suggestion)}): `)
      const answer = typed.trim() === '' ? suggestion : typed
      const found = await fault(answer)
      if (found === undefined) return answer
      await say(`Not yet: ${safeText(found)}`)
    }
  }
  return {
    line: async ({ message, fault, hint, suggestion }) => {
      const answer = await until(readLine, message, fault, suggestion)
      const about = hint?.(answer) ?? ''
      if (about !== '') await say(safe(about))
      return answer
    },
    secret: ({ message, fault }) => until(readSecret, `${message} (what you type is not shown)`, fault),
    choice: async (message, choices) => {
      let offered = choices
      for (;;) {
        const typed = (await readLine(io, listed(message, offered))).trim()
        const found = chosen(offered, typed)
        if (typeof found === 'string') return found
        offered = found.length > 0 ? found : choices
        if (found.length === 0) await say(`Not yet: "${safe(typed.slice(0, 40))}" is not one of them`)
      }
    },
    agree: async (message) => /^y(es)?$/i.test((await readLine(io, `${message} (yes or no, Enter for no): `)).trim()),
  }
}

/** Shows a prompt and reads the line typed after it. It listens for an interrupt before it shows anything. */
type Reader = (io: Io, prompt: string) => Promise<string>

/** The choices with their numbers, at most one page. */
function listed(message: string, offered: readonly Choice[]): string {
  const more = offered.length - pageSize
  return [
    `${message}:`,
    ...offered.slice(0, pageSize).map(({ name }, n) => `  ${n + 1}. ${name}`),
    ...(more > 0 ? [`  and ${more} more: type a part of the name`] : []),
    'Number: ',
  ].join('\n')
}

/** Choices on one page. */
const pageSize = 20

/** The choice that a number or a name means, or else the choices whose names contain the typed text. */
function chosen(offered: readonly Choice[], typed: string): string | readonly Choice[] {
  if (typed === '') return offered
  const word = typed.toLowerCase()
  const numbered = /^\d{1,4}$/.test(typed) && Number(typed) <= pageSize ? offered[Number(typed) - 1] : undefined
  const named = offered.find(({ name }) => name.toLowerCase() === word)
  const like = offered.filter(({ name }) => name.toLowerCase().includes(word))
  const one = numbered ?? named ?? (like.length === 1 ? like[0] : undefined)
  return one === undefined ? like : one.value
}

/** A line that the terminal itself edits. */
function readLine(io: Io, prompt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = createInterface({ input: io.stdin.stream, terminal: false })
    let over = false
    const end = (typed: string | undefined): void => {
      if (over) return
      over = true
      quiet()
      reader.close()
      if (typed !== undefined) resolve(typed)
      else io.stderr.write('\n').then(() => reject(cancelled()), reject)
    }
    const quiet = io.onInterrupt(() => end(undefined))
    reader.once('line', end)
    reader.once('close', () => end(undefined))
    io.stderr.write(prompt).catch(reject)
  })
}

/** A line that the terminal does not show. */
function readSecret(io: Io, prompt: string): Promise<string> {
  const { stream } = io.stdin
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (given: boolean): void => {
      quiet()
      stream.off('data', onData)
      stream.setRawMode(false)
      stream.pause()
      io.stderr.write('\n').then(() => (given ? resolve(typed) : reject(cancelled())), reject)
    }
    const onData = (chunk: Uint8Array | string): void => {
      for (const char of String(chunk)) {
        if (char === '\r' || char === '\n') return end(true)
        if (char === '\u0003' || char === '\u0004') return end(false)
        if (char === '\u007f' || char === '\b') typed = typed.slice(0, -1)
        else typed += char
      }
    }
    const quiet = io.onInterrupt(() => end(false))
    stream.setRawMode(true)
    stream.on('data', onData)
    stream.resume()
    io.stderr.write(prompt).catch(reject)
  })
}
