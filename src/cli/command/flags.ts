// What was typed for a command's flags, read by name; knows no flag and loads nothing.

/** The formats that programs read; without one the output is a table, or its tab-separated form in a pipe. */
export const formats = ['json', 'jsonl', 'csv', 'tsv', 'excel', 'ids'] as const
export type Format = (typeof formats)[number] | 'plain'

/** What a format can be asked for by: `table` is the one without a format of its own. */
export const formatNames = [...formats, 'table'] as const

/** Whether errors under a format are JSON; under CSV or ids they are text. */
export const toldInJson = (format: string | undefined): boolean => format === 'json' || format === 'jsonl'

export type FlagValues = ReadonlyMap<string, true | string | readonly string[]>

/** The text given for a flag, or undefined. */
export function text(flags: FlagValues, name: string): string | undefined {
  const value = flags.get(name)
  return typeof value === 'string' ? value : undefined
}

/** The values given for a list flag, or undefined. */
export function list(flags: FlagValues, name: string): readonly string[] | undefined {
  const value = flags.get(name)
  return value === undefined || value === true || typeof value === 'string' ? undefined : value
}
