// Names of files that are made from names of things, and that every system takes.

/** Names that Windows keeps for devices, whatever ending follows; it takes the raised digits for digits. */
const devices = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i

/** The longest name without its ending, characters. */
const longest = 60

/**
 * A part of a file name: small letters and digits of any script with dashes between them; `otherwise` where the text
 * has none.
 */
export function fileNameOf(text: string, otherwise: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
  const name = [...words.join('-')].slice(0, longest).join('').replace(/-$/, '')
  return name === '' ? otherwise : noDevice(name, otherwise)
}

/** A name without its ending, with more after it where Windows would write to a device instead of a file. */
export const noDevice = (name: string, otherwise: string): string =>
  devices.test(name) ? `${name}-${otherwise}` : name
