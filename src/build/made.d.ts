// The types of made.js, which the build runs before TypeScript is available.

/** The digest of files and folders of the checkout, by their names and bytes, and of Node's version. */
export function digestOf(paths: readonly string[]): string

/** Whether dist/ is what a build of these files made. */
export function isBuilt(): boolean
