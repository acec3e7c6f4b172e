// What printers of records need of the workbook of `--xlsx`.

/** A column of a sheet: its header, and how its numbers are shown. */
export interface WorkbookColumn {
  readonly header: string
  /** Rupees, or a share from 0 to 1. */
  readonly kind?: 'money' | 'share'
}

/** A cell: an exact value, or a day of Excel's calendar (1 is 1 January 1900) with or without its time. */
export type WorkbookCell = string | number | boolean | null | { readonly serial: number; readonly timed: boolean }

/** A sheet that is being written. Both methods throw `output_failed`. */
export interface WorkbookSheet {
  readonly add: (rows: readonly (readonly WorkbookCell[])[]) => Promise<void>
  readonly end: () => Promise<void>
}

/** A workbook that is being written. */
export interface Workbook {
  /**
   * Starts a sheet; its name is made to fit Excel. `noun` is the word for its records, singular and plural. Sheets with
   * `aside` can be open at the same time; each joins the workbook when it ends.
   */
  readonly sheet: (
    name: string,
    noun: readonly [one: string, many: string],
    columns: readonly WorkbookColumn[],
    aside?: boolean,
  ) => WorkbookSheet
  /** Completes the file and moves it into place. Called once. Throws `output_failed`. */
  readonly finish: () => Promise<void>
}
