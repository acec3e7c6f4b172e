// Reads the typed values of a command's flags by name. Loads nothing.

/** Formats for programs; without one the output is a table, or tab-separated text in a pipe. */
export const formats = ['json', 'jsonl', 'csv', 'tsv', 'excel', 'ids'] as const

/** Formats that are a file: their flags name it. */
export const fileFormats = ['xlsx', 'parquet'] as const

export type Format = (typeof formats)[number] | (typeof fileFormats)[number] | 'plain'

/** The names of the formats; `table` is the output without a format. */
export const formatNames = [...formats, 'table'] as const

/** The flags that choose a format. A file needs its name, so that no setting can choose it. */
export const formatFlags = [...formatNames, ...fileFormats] as const

/** Whether a format is a file, which is written whole or not at all. */
export const inFile = (format: Format): boolean => format === 'xlsx' || format === 'parquet'

/** Whether a format is rows and columns for other programs to open. */
export const isSheet = (format: Format): boolean => inFile(format) || ['csv', 'tsv', 'excel'].includes(format)

/** Whether a format is a sheet with the columns that people read. */
export const forPeople = (format: Format): boolean => format === 'excel' || format === 'xlsx'

/** Whether errors are JSON under a format; under CSV or ids they are text. */
export const toldInJson = (format: string | undefined): boolean => format === 'json' || format === 'jsonl'

export type FlagValues = ReadonlyMap<string, true | string | readonly string[]>

/** The text given for a flag, or undefined. */
export function text(flags: FlagValues, name: string): string | undefined {
  const value = flags.get(name)
  return typeof value === 'string' ? value : undefined
}

/** When to use colour, as the flags say: `always`, `never`, `auto`; undefined when they say nothing. */
export const colourWish = (flags: FlagValues): string | undefined =>
  flags.has('no-color') ? 'never' : text(flags, 'color')

/** The values given for a list flag, or undefined. */
export function list(flags: FlagValues, name: string): readonly string[] | undefined {
  const value = flags.get(name)
  return value === undefined || value === true || typeof value === 'string' ? undefined : value
}
