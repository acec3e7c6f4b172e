// A value as one word of a shell, for the commands that hints name.

/** The value as it is where no shell reads more into it, else in single quotes. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
