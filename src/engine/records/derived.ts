// Values that a row handed over by a call need not bring, because JavaScript makes them of another one.
import { Sql } from 'sql-template-tag'

/**
 * A value in SQL, and the same made of a simpler one. Each value that a row brings costs some 20 ns and each expression
 * up to 100; most of what a report adds up is known from a few columns (docs/inside/performance.md, Sums).
 */
export class Derived extends Sql {
  constructor(
    value: Sql,
    readonly of: Sql,
    readonly make: (of: unknown) => string | number | null,
  ) {
    super(value.strings, value.values)
  }
}
