// The words that users of other tools type for our commands: those that run the command, and those that only name it.
import type { Tree } from '../command/tree.ts'

/** Short forms: the first word of a command line, and the words that it stands for. */
export const shortForms: Readonly<Record<string, readonly string[]>> = {
  track: ['shipments', 'get'],
  ndr: ['shipments', 'ndr'],
  stuck: ['shipments', 'stuck'],
  login: ['auth', 'login'],
  logout: ['auth', 'logout'],
  whoami: ['auth', 'status'],
}

/** The last word of a command, and the word that it stands for where a group has only that one. */
export const shortVerbs: Readonly<Record<string, string>> = { ls: 'list' }

/**
 * The words that only name a command: because they could mean several things, or because the command changes something
 * that the word does not say. `<…>` stands for what the user typed next.
 */
export const elsewhere: Readonly<Record<string, string>> = {
  ls: 'shipments list',
  list: 'shipments list',
  get: 'shipments get <shipment>',
  show: 'shipments get <shipment>',
  summary: 'shipments summary',
  watch: 'shipments watch',
  wait: 'shipments wait <shipment>',
  label: 'orders label <order>',
  labels: 'orders label <order>',
  manifest: 'orders manifest',
  price: 'rates',
  quote: 'rates',
  cancel: 'local cancel <order>',
  status: 'auth status',
  signin: 'auth login',
  signout: 'auth logout',
  config: 'profile show',
  configure: 'init',
  setup: 'init',
  settings: 'profile show',
  version: '--version',
  seed: 'local seed',
  simulate: 'local simulate',
  backup: 'local backup',
  warehouse: 'local warehouse list',
  warehouses: 'local warehouse list',
  'orders list': 'shipments list',
  'orders ls': 'shipments list',
  'orders export': 'shipments list --all --csv',
  'orders get': 'shipments get <order>',
  'orders show': 'shipments get <order>',
  'orders track': 'shipments get <order>',
  'orders cancel': 'local cancel <order>',
  'shipments create': 'orders create',
  'shipments import': 'orders import',
  'shipments export': 'shipments list --all --csv',
  'shipments track': 'shipments get <shipment>',
  'shipments cancel': 'local cancel <shipment>',
  'returns create': 'local return create <shipment>',
  'auth whoami': 'auth status',
}

/** Other verbs that users type for a command of a group. */
export const otherVerbs: Readonly<Record<string, string>> = {
  show: 'get',
  view: 'get',
  new: 'create',
  add: 'create',
  rate: 'rates',
  edit: 'update',
  rm: 'remove',
  delete: 'remove',
}

/** Short flags of other tools, by letter, and our flag for each. */
export const otherFlags: Readonly<Record<string, string>> = { l: 'limit', L: 'limit', n: 'limit', o: 'out', f: 'file' }

/** Whether a flag takes the next word as its value, for a line whose command is not known yet. */
function takesNext(tree: Tree, typed: string, next: string | undefined): boolean | undefined {
  const name = typed.split('=')[0]!
  const flags = [...tree.globals, ...tree.commands.flatMap((command) => command.flags)].filter(
    (flag) => `--${flag.name}` === name || (flag.short !== undefined && `-${flag.short}` === name),
  )
  if (flags.length === 0) return undefined
  if (typed.includes('=') || next === undefined || flags.every(({ kind }) => kind === 'switch')) return false
  if (flags.some(({ kind }) => kind === 'boolean')) return /^(true|false)$/.test(next)
  // The same name is a switch of one command and takes a value in another: a command's word is not a value.
  return flags.every(({ kind }) => kind !== 'switch') || !tree.commands.some(({ path }) => path[0] === next)
}

/**
 * The places of the words of a command line that are neither flags nor their values. Ends at a flag that no command has
 * and at `--`: what follows them may be anything.
 */
export function wordPlaces(tree: Tree, argv: readonly string[]): readonly number[] {
  const places: number[] = []
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!
    if (!word.startsWith('-') || word === '-') {
      places.push(at)
      continue
    }
    const taken = word === '--' ? undefined : takesNext(tree, word, argv[at + 1])
    if (taken === undefined) break
    if (taken) at++
  }
  return places
}

/** How many of the words are the beginning of a command, in order. */
export const depthOf = (tree: Tree, words: readonly string[]): number =>
  Math.max(
    0,
    ...tree.commands.map(({ path }) => {
      const first = path.findIndex((word, i) => words[i] !== word)
      return first === -1 ? path.length : first
    }),
  )

/**
 * The command line with short forms written out and with flags behind the command's words; undefined when it is the
 * same. Commander accepts the flags of a command only there.
 */
export function straightened(tree: Tree, argv: readonly string[]): readonly string[] | undefined {
  const places = wordPlaces(tree, argv)
  const first = argv[places[0] ?? -1]
  const short = first !== undefined && Object.hasOwn(shortForms, first) ? shortForms[first]! : undefined
  const typed = places.map((at) => argv[at]!)
  const words = short === undefined ? typed : [...short, ...typed.slice(1)]
  let depth = depthOf(tree, words)
  const verb = shortVerbs[words[depth] ?? '']
  const full = verb === undefined ? words : words.with(depth, verb)
  if (depth > 0 && verb !== undefined) depth = depthOf(tree, full)
  if (depth === 0) return undefined
  /** The place of the command's last word. */
  const last = places[depth - 1 - (words.length - typed.length)]!
  const flags = argv.slice(0, last).filter((_, at) => !places.includes(at))
  const line = [...full.slice(0, depth), ...flags, ...argv.slice(last + 1)]
  return line.length === argv.length && line.every((word, at) => word === argv[at]) ? undefined : line
}
