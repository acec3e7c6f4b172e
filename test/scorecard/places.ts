// M9, L1, L7, L11: disks that cannot be written or are full, few open files, inputs without an end, and homes that are none.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { deskOf, storesCsv, type Desk } from '../support/imports.ts'
import { readOnlyAt, smallDiskAt, unmount } from '../support/mounts.ts'
import { codeOf, taken } from './asked.ts'
import { sample, summed, timed, type Finding, type Size } from './row.ts'

const quote = ['rates', '--from', '400001', '--to', '560001', '--weight', '500g', '--size', '20x15x10', '--prepaid']

/** M9: every command that reads, on a file system that cannot be written. */
export const m9 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const desk = deskOf()
    const faults: string[] = []
    const reading = sample(
      [
        quote,
        ['stores', 'list'],
        ['shipments', 'list', '--limit', '5'],
        ['shipments', 'summary'],
        ['returns', 'list', '--limit', '5'],
        ['sql', 'select count(*) from shipments'],
        ['local', 'check'],
        ['local', 'warehouse', 'list'],
        ['ratecard', 'list'],
        ['keys', 'list'],
        ['messages', 'list'],
        ['shipments', 'stuck'],
        ['report', '--json'],
        ['local', 'backup', 'copy.sqlite'],
      ],
      size,
      4,
    )
    const writing = [
      ['stores', 'create', '--name', 'x'],
      ['local', 'reset', '--yes'],
      ['local', 'seed', '--shipments', '5', '--yes'],
    ]
    try {
      await desk.run(['local', 'seed', '--shipments', '200', '--quiet'])
      await desk.run(['stores', 'create', '--name', 'last', '--quiet'])
      if (!readOnlyAt(desk.path('data'))) throw new Error('no folder can be mounted here')
      try {
        for (const args of reading) {
          const ran = await taken(desk, args.includes('--json') ? args : [...args, '--json'])
          if (ran.exit !== 0) faults.push(`${args.join(' ')}: exit ${ran.exit} ${ran.stderr.slice(0, 200)}`)
        }
        for (const args of writing) {
          const ran = await taken(desk, [...args, '--json'])
          if (ran.exit !== 1 || codeOf(ran) !== 'database_read_only')
            faults.push(`${args.join(' ')}: exit ${ran.exit} ${codeOf(ran)}`)
        }
      } finally {
        unmount(desk.path('data'))
      }
    } finally {
      desk.clear()
    }
    return {
      row: 'M9',
      what: `${reading.length} commands that read and ${writing.length} that write, on a file system that cannot be written`,
      tried: reading.length + writing.length,
      result: `${reading.length + writing.length - faults.length} as required`,
      target: 'what reads works; what writes says database_read_only',
      faults: summed(faults),
    }
  })

const inside = 'something went wrong inside'

/** L1: imports onto so many of 50 disks, and with so many of 20 limits of open files. */
export const l1 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const disks = sample(
      Array.from({ length: 50 }, (_, n) => 16 + n * 40),
      size,
      4,
    )
    const limits = sample(
      Array.from({ length: 20 }, (_, n) => 20 + n),
      size,
      4,
    )
    let full = 0
    for (const kb of disks) {
      const desk = deskOf()
      mkdirSync(desk.path('disk'))
      try {
        if (!smallDiskAt(desk.path('disk'), kb)) throw new Error('no disk can be mounted here')
        desk.write('stores.csv', storesCsv(8000))
        const ran = await taken(desk, ['stores', 'import', 'stores.csv', '--yes', '--json'], {
          env: { SHIPX_DATA_DIR: desk.path('disk/data') },
        })
        if (ran.exit === 1) full++
        if (
          ran.stderr.includes(inside) ||
          (ran.exit === 1 ? !['database_full', 'output_failed'].includes(codeOf(ran)) : ran.exit !== 0)
        )
          faults.push(`${kb} KB: exit ${ran.exit} ${ran.stderr.slice(-300)}`)
      } finally {
        unmount(desk.path('disk'))
        desk.clear()
      }
    }
    for (const most of limits) {
      const desk = deskOf()
      try {
        desk.write('stores.csv', storesCsv(20))
        const { exit, stderr } = await shell(desk, `ulimit -n ${most}; "$0" "$1" stores import stores.csv --yes --json`)
        if (stderr.includes(inside) || (exit !== 0 && codeOf({ stderr }) === ''))
          faults.push(`${most} open files: exit ${exit} ${stderr.slice(-300)}`)
      } finally {
        desk.clear()
      }
    }
    if (full === 0) faults.push('no disk was full')
    return {
      row: 'L1',
      what: `imports onto ${disks.length} small disks, and with ${limits.length} limits of open files`,
      tried: disks.length + limits.length,
      result: `${full} disks were full, each told as that`,
      target: 'never a fault inside shipx',
      faults: summed(faults),
    }
  })

const shell = (desk: Desk, line: string): ReturnType<Desk['run']> =>
  desk.run([], { under: ['bash', '-c', line], kill: { signal: 'SIGKILL', after: 600_000 } })

/** L7: inputs that have no end; at full size one of short lines too, which is cut off at 4 GB. */
export const l7 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const lines = [
      '"$0" "$1" stores import - --yes --json < /dev/zero',
      '"$0" "$1" stores import /dev/zero --yes --json',
      '"$0" "$1" orders import - --yes --json < /dev/zero',
      '"$0" "$1" local import stores - --json < /dev/zero',
      '"$0" "$1" rates --file - --json < /dev/zero',
      '"$0" "$1" sql - --json < /dev/zero',
      `(echo store_name; head -c 1000000000 /dev/zero | tr '\\0' x) | "$0" "$1" stores import - --yes --json`,
      ...(size === 1 ? ['yes store | "$0" "$1" stores import - --yes --json'] : []),
    ]
    for (const line of lines) {
      const desk = deskOf()
      try {
        const { exit, stderr } = await shell(desk, line)
        if (exit !== 2 || !['invalid_file', 'invalid_input'].includes(codeOf({ stderr })))
          faults.push(`${line}: exit ${exit} ${stderr.slice(-200)}`)
        const spools = desk.path('data/imports')
        if (existsSync(spools) && readdirSync(spools).length > 0)
          faults.push(`${line}: left ${readdirSync(spools).join(', ')}`)
      } finally {
        desk.clear()
      }
    }
    return {
      row: 'L7',
      what: `${lines.length} inputs without an end, or of one line of 1 GB`,
      tried: lines.length,
      result: `${lines.length - faults.length} refused, nothing left behind`,
      target: 'each refused after 4 MB of a line or 4 GB in all',
      faults: summed(faults),
    }
  })

/** L11: homes that are no folder, and databases that are nowhere. */
export const l11 = (): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const desk = deskOf()
    const homes = ['/dev/null', '/proc', '/nowhere/at/all']
    try {
      for (const home of homes) {
        const env = { HOME: home, SHIPX_DATA_DIR: '', SHIPX_CONFIG_DIR: '' }
        const asked = await taken(desk, [...quote, '--json'], { env })
        if (asked.exit !== 0 || asked.stderr !== '') faults.push(`${home}: a quote: exit ${asked.exit} ${asked.stderr}`)
        if (home.startsWith('/nowhere')) continue
        const written = await taken(desk, ['stores', 'create', '--name', 'x', '--json'], { env })
        if (written.exit !== 1 || codeOf(written) !== 'database_read_only')
          faults.push(`${home}: a store: exit ${written.exit} ${written.stderr}`)
      }
      for (const name of [':memory:', 'x.sqlite ']) {
        const ran = await taken(desk, ['stores', 'create', '--name', 'x', '--db', name, '--json'])
        if (ran.exit !== 2) faults.push(`--db "${name}": exit ${ran.exit}`)
      }
    } finally {
      desk.clear()
    }
    return {
      row: 'L11',
      what: `${homes.length} homes that are no folder, and names that are no file`,
      tried: homes.length * 2 + 1,
      result: `${faults.length} not as required`,
      target: 'what needs no home works, the rest ends and says why',
      faults: summed(faults),
    }
  })
