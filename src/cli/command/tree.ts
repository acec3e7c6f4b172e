// The shape of the command tree: what the command table is made of and what is generated from it; knows no command.

/** How a flag's words become a value: nothing after it, text, a number, a list with commas, whole values repeated, or true/false. */
export type FlagKind = 'switch' | 'text' | 'number' | 'list' | 'repeated' | 'boolean'

/** Where the values of a flag or an argument come from when they are completed: a list, names that were seen, or files. */
export type Offers =
  readonly string[] | 'stores' | 'couriers' | 'warehouses' | 'profiles' | 'origins' | 'commands' | 'files' | 'folders'

/** One flag of a command. */
export interface Flag {
  /** The name without its dashes. A `no-` name is a switch of its own. */
  readonly name: string
  readonly short?: string
  readonly kind: FlagKind
  /** What stands after the flag in help: `<pincode>`. */
  readonly value?: string
  readonly help: string
  /** The heading it stands under in help. */
  readonly group: string
  /** The API's own name of the field that it fills, when it fills one as it is. */
  readonly key?: string
  readonly choices?: readonly string[]
  readonly default?: string
  /** Flags, and arguments as `<name>`, that cannot be given together with it. */
  readonly excludes?: readonly string[]
  /** Kept out of the command's help: the API's own spelling of a flag that has a friendlier one. */
  readonly hidden?: true
  /** What completion offers for it beside its choices. */
  readonly offers?: Offers
}

/** One argument of a command. */
export interface Argument {
  readonly name: string
  readonly help: string
  /** It may be there several times, or not at all where a flag stands for it; the last argument only. */
  readonly many?: true
  /** What completion offers for it. */
  readonly offers?: Offers
}

/** An example that runs, with what it is for. */
export interface Example {
  readonly about: string
  readonly line: string
}

/** One command, as help, completion, parsing and `shipx commands --json` know it. */
export interface Command {
  readonly path: readonly string[]
  readonly summary: string
  readonly about?: string
  readonly args: readonly Argument[]
  readonly flags: readonly Flag[]
  readonly examples: readonly Example[]
  /** The shape of what it prints with --json. */
  readonly output?: string
  readonly exits: string
  /** Method and path of the endpoint behind it. */
  readonly api?: string
  /** Works on the engine's own database only. */
  readonly local?: true
  readonly hidden?: true
  /** Reads no profile before it runs: it is there for when that cannot be done. */
  readonly unprofiled?: true
  /** Goes on printing for as long as it runs: never given to a pager. */
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

/** The commands that lie under a path of words, the command itself first. */
export function commandsUnder(tree: Tree, path: readonly string[]): readonly Command[] {
  return tree.commands.filter((command) => path.every((word, i) => command.path[i] === word))
}
