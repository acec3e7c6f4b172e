// ZPL as a label printer reads it: commands with their places, fields with their texts.

/** A field of a label. */
export interface ZplField {
  readonly kind: 'text' | 'barcode' | 'box' | 'picture'
  readonly x: number
  readonly y: number
  /** The text of a text or barcode. */
  readonly text: string
  /** Dots of the narrowest bar of a barcode. */
  readonly module: number
  /** Dark dots of a picture. */
  readonly dots: number
}

const readHex = (data: string): string => {
  const bytes: number[] = []
  for (let at = 0; at < data.length;) {
    const hex = /^_([0-9A-F]{2})/.exec(data.slice(at, at + 3))
    if (hex !== null) {
      bytes.push(Number.parseInt(hex[1]!, 16))
      at += 3
      continue
    }
    const letter = String.fromCodePoint(data.codePointAt(at)!)
    bytes.push(...Buffer.from(letter))
    at += letter.length
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes))
}

/** The text of a barcode with its changes between the sets B and C. */
function readBars(data: string): string {
  let text = ''
  for (let at = 0; at < data.length;) {
    const two = data.slice(at, at + 2)
    if (['>:', '>;', '>5', '>6'].includes(two)) at += 2
    else if (two === '>0' || two === '><' || two === '>=') {
      text += { '>0': '>', '><': '^', '>=': '~' }[two]
      at += 2
    } else text += data[at++]!
  }
  return text
}

/** The labels of a file. Throws for a command that labels do not have, and for one outside a label. */
export function zplLabels(zpl: string): readonly (readonly ZplField[])[] {
  const labels: ZplField[][] = []
  let open = false
  let [x, y, module, hex]: [number, number, number, boolean] = [0, 0, 0, false]
  let [kind, dots]: [ZplField['kind'], number] = ['text', 0]
  let text: string | undefined
  for (const [, name, given] of zpl.matchAll(/\^([A-Z][A-Z0-9])([^^]*)/g)) {
    const rest = given!.replace(/\n$/, '')
    if (/~/.test(rest)) throw new Error(`a command inside ^${name!}${rest}`)
    if (name === 'XA') {
      open = true
      labels.push([])
    } else if (!open) throw new Error(`^${name!} outside a label`)
    else if (name === 'XZ') open = false
    else if (name === 'FO' || name === 'FT') {
      ;[x, y] = rest.split(',').map(Number) as [number, number]
      ;[kind, text, hex, dots] = ['text', undefined, false, 0]
    } else if (name === 'BY') module = Number(rest.split(',')[0])
    else if (name === 'BC') kind = 'barcode'
    else if (name === 'GB') kind = 'box'
    else if (name === 'FH') hex = rest === '_'
    else if (name === 'FD') text = hex ? readHex(rest) : rest
    else if (name === 'GF') {
      const [form, all, , row, data] = rest.split(',') as [string, string, string, string, string]
      if (form !== 'A' || data.length !== Number(all) * 2 || Number(all) % Number(row) !== 0)
        throw new Error('a picture of another size than it says')
      kind = 'picture'
      dots = Buffer.from(data, 'hex').reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
    } else if (name === 'FS') {
      const read = kind === 'barcode' ? readBars(text ?? '') : (text ?? '')
      labels.at(-1)!.push({ kind, x, y, text: read, module, dots })
    } else if (!['CI', 'PW', 'LL', 'LH', 'A0', 'FR'].includes(name!)) throw new Error(`^${name!} is not known`)
  }
  if (open) throw new Error('a label without an end')
  return labels
}
