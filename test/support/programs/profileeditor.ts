// A program: changes the file of profiles over and over as a command does, and says each change that is kept. A
// command for each edit would only measure how Node starts.
import { changeProfiles } from '../../../src/cli/config/profiles.ts'
import type { Io } from '../../../src/cli/terminal/io.ts'

const [folder = '', name = '', count = '0'] = process.argv.slice(2)

const io = {
  env: { SHIPX_CONFIG_DIR: folder },
  home: '/',
  platform: process.platform,
  pid: process.pid,
  stderr: { write: async (text: string) => void process.stderr.write(text) },
} as unknown as Io

async function edit(n: number): Promise<void> {
  // A new object: a run reads the file once.
  await changeProfiles({ ...io }, (all) => {
    const before = all.profiles[name]
    const warehouse = { ...before?.warehouse, [`edit${n}`]: 'x'.repeat(20) }
    return { ...all, profiles: { ...all.profiles, [name]: { ...before, warehouse } } }
  })
  process.stdout.write(`${n}\n`)
}

async function main(): Promise<void> {
  for (let n = 0; n < Number(count); n++) await edit(n)
}

void main()
