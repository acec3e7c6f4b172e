// The types of the command tree: of the command table, and of what is generated from it.

/**
 * How words become a flag's value: no value, text, a number, a list with commas, repeated whole values, or true/false.
 */
export type FlagKind = 'switch' | 'text' | 'number' | 'list' | 'repeated' | 'boolean'

/** Where completion finds the values of a flag or an argument: a list, names that commands have seen, or files. */
export type Offers =
  | readonly string[]
  | 'stores'
  | 'couriers'
  | 'warehouses'
  | 'profiles'
  | 'aliases'
  | 'maps'
  | 'origins'
  | 'commands'
  | 'files'
  | 'folders'

/** One flag of a command. */
export interface Flag {
  /** The name without its dashes. A `no-` name is a switch of its own. */
  readonly name: string
  readonly short?: string
  readonly kind: FlagKind
  /** The value in help: `<pincode>`. */
  readonly value?: string
  readonly help: string
  /** The heading of the flag in help. */
  readonly group: string
  /** The API's name of the field that the flag sets directly, if any. */
  readonly key?: string
  readonly choices?: readonly string[]
  readonly default?: string
  /** Flags, and arguments as `<name>`, that cannot be combined with it. */
  readonly excludes?: readonly string[]
  /** Not in the command's help: the API's own spelling of a flag that has a friendlier one. */
  readonly hidden?: true
  /** What completion offers in addition to the choices. */
  readonly offers?: Offers
}

/** One argument of a command. */
export interface Argument {
  readonly name: string
  readonly help: string
  /** The argument may repeat, or be missing when a flag replaces it. Only for the last argument. */
  readonly many?: true
  /** What completion offers for it. */
  readonly offers?: Offers
}

/** An example that runs, with its purpose. */
export interface Example {
  readonly about: string
  readonly line: string
}

/** One command, for help, completion, parsing and `shipx commands --json`. */
export interface Command {
  readonly path: readonly string[]
  readonly summary: string
  readonly about?: string
  readonly args: readonly Argument[]
  readonly flags: readonly Flag[]
  readonly examples: readonly Example[]
  /** The shape of its output with --json. */
  readonly output?: string
  readonly exits: string
  /** Method and path of its endpoint. */
  readonly api?: string
  /** Works only on the engine's own database. */
  readonly local?: true
  readonly hidden?: true
  /** Reads no profile before it runs: users need it when the profiles cannot be read. */
  readonly unprofiled?: true
  /** Keeps printing while it runs: never sent to a pager. */
  readonly live?: true
}

/** A group of commands. */
export interface Group {
  readonly name: string
  readonly summary: string
  readonly heading: string
}

/** The whole command tree. */
export interface Tree {
  readonly groups: readonly Group[]
  readonly globals: readonly Flag[]
  readonly commands: readonly Command[]
  readonly topics: readonly { readonly name: string; readonly summary: string; readonly text: string }[]
}

/** The commands under a path of words, the command itself first. */
export function commandsUnder(tree: Tree, path: readonly string[]): readonly Command[] {
  return tree.commands.filter((command) => path.every((word, i) => command.path[i] === word))
}
