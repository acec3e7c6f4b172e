// The size of Excel's sheets (support.microsoft.com, Excel specifications and limits).

/** Rows and columns of a sheet at most. */
export const [mostRows, mostColumns] = [1_048_576, 16_384]
