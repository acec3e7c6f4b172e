// shipx as one file: made for this computer, and run where there is nothing but the libraries that it links.
// `SHIPX_TEST_RELEASE` is a folder that `npm run package -- --all --out` made: its programs are checked too.
// @module-tag full: downloads a Node and makes the program
import { execFileSync, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alteredPages } from '../../src/build/single/machosign.ts'
import { nodeOf } from '../../src/build/single/nodes.ts'
import { signaturePlace } from '../../src/build/single/pesign.ts'
import { fuse } from '../../src/build/single/program.ts'
import { ownTarget, programName, targets, type Target } from '../../src/build/single/targets.ts'
import { root } from '../support/checkout.ts'
import { canContain, containerOf, type Container } from '../support/container.ts'
import { drawnPages } from '../support/drawnpdf.ts'
import { childrenOf, freePort, signal } from '../support/processes.ts'
import { sandbox, type Sandbox } from '../support/sandbox.ts'

const own = ownTarget(process)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }

/** Why the program is not made here; undefined where it is. */
const missing = ((): string | undefined => {
  if (own?.format !== 'elf') return `no test runs the program of ${process.platform} ${process.arch}`
  try {
    nodeOf(own.node, join(root, 'node_modules', '.cache', 'shipx-nodes'))
    return undefined
  } catch (error) {
    return `npm does not give ${own.node}: ${String(error).slice(0, 200)}`
  }
})()

/** A number that a program of each format has at the place that its head names, for the processor it runs on. */
const machines: Readonly<Record<Target['name'], (file: Buffer) => boolean>> = {
  'linux-x64': (file) => file.toString('latin1', 0, 4) === '\x7fELF' && file.readUInt16LE(18) === 62,
  'linux-arm64': (file) => file.toString('latin1', 0, 4) === '\x7fELF' && file.readUInt16LE(18) === 183,
  'win-x64': (file) => {
    const at = file.readUInt32LE(60)
    return (
      file.toString('latin1', 0, 2) === 'MZ' &&
      file.toString('latin1', at, at + 4) === 'PE\0\0' &&
      file.readUInt16LE(at + 4) === 0x8664
    )
  },
  'darwin-arm64': (file) => file.readUInt32LE(0) === 0xfeedfacf && file.readUInt32LE(4) === 0x0100000c,
}

/** What the archive has beside the program; of the pages, two. */
const beside = [
  'share/man/man1/shipx.1',
  'share/bash-completion/completions/shipx',
  'share/zsh/site-functions/_shipx',
  'share/fish/vendor_completions.d/shipx.fish',
  'share/doc/shipx/LICENSE',
  'share/doc/shipx/LICENSE.node',
  'share/doc/shipx/LICENSES.txt',
  'share/doc/shipx/README.md',
  'share/doc/shipx/guides/tour.md',
  'share/doc/shipx/sbom.cdx.json',
]

const sumOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

describe.skipIf(missing !== undefined)(`made for this computer${missing === undefined ? '' : ` (${missing})`}`, () => {
  let release: string
  const archive = `shipx-${version}-${own?.name}.tar.gz`

  beforeAll(() => {
    release = mkdtempSync(join(tmpdir(), 'shipx-release-'))
    execFileSync(
      process.execPath,
      [
        join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'),
        join(root, 'src', 'build', 'package.ts'),
        '--out',
        release,
      ],
      {
        stdio: 'ignore',
      },
    )
    // Other work on the same cores makes it several times as long.
  }, 600_000)

  afterAll(() => rmSync(release, { recursive: true, force: true }))

  test('the release has these files, and SHA256SUMS their sums', () => {
    const papers = ['Dockerfile', 'install.sh', 'sbom.cdx.json', 'shipx.rb']
    expect(readdirSync(release).toSorted()).toEqual([archive, 'SHA256SUMS', own!.name, ...papers].toSorted())
    const sums = new Map(
      readFileSync(join(release, 'SHA256SUMS'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('  ').toReversed() as [string, string]),
    )
    expect(sums).toEqual(new Map([archive, ...papers].map((name) => [name, sumOf(join(release, name))])))
    expect(readFileSync(join(release, 'shipx.rb'), 'utf8')).toContain(`sha256 "${sums.get(archive)!}"`)
    expect(readFileSync(join(release, 'install.sh'), 'utf8')).not.toMatch(/@[A-Z]+@/)
    expect(readFileSync(join(release, 'Dockerfile'), 'utf8')).not.toMatch(/@[A-Z]+@/)
  })

  test('the archive has the program, the manual page, completions, pages and licences', () => {
    const listed = execFileSync('tar', ['tvzf', join(release, archive)], { encoding: 'utf8' })
      .trim()
      .split('\n')
    const top = archive.slice(0, -'.tar.gz'.length)
    const names = listed.map((line) => line.split(' ').at(-1)!)
    expect(names).toEqual(expect.arrayContaining([`${top}/bin/shipx`, ...beside.map((path) => `${top}/${path}`)]))
    expect(names.filter((name) => !name.startsWith(`${top}/`))).toEqual([])
    expect(listed.filter((line) => line.startsWith('-rwxr-xr-x')).map((line) => line.split(' ').at(-1))).toEqual([
      `${top}/bin/shipx`,
    ])
  })

  test('install.sh installs what has the right sum, and nothing else', () => {
    const [home, copy] = [`${release}-home`, `${release}-copy`]
    for (const folder of [home, copy]) mkdirSync(folder)
    for (const name of ['install.sh', 'SHA256SUMS', archive]) copyFileSync(join(release, name), join(copy, name))
    const env = { HOME: home, PATH: '/usr/bin:/bin' }
    const install = () => spawnSync('sh', [join(copy, 'install.sh')], { env, encoding: 'utf8' })
    try {
      const done = install()
      expect([done.status, done.stderr, done.stdout]).toEqual([0, '', expect.stringContaining(`${home}/.local/bin`)])
      const program = join(home, '.local', 'bin', 'shipx')
      const run = (...words: readonly string[]): string => execFileSync(program, words, { env, encoding: 'utf8' })
      expect(run('--version')).toBe(`shipx ${version}\n`)
      expect(run('help', 'docs')).toContain(`\n  ${join(home, '.local', 'share', 'doc', 'shipx')}\n`)
      rmSync(join(home, '.local'), { recursive: true })
      writeFileSync(join(copy, archive), 'other bytes')
      const refused = install()
      expect([refused.status, refused.stderr, existsSync(join(home, '.local'))]).toEqual([
        1,
        `install.sh: ${archive} has another sum than SHA256SUMS says: nothing is installed\n`,
        false,
      ])
    } finally {
      for (const folder of [home, copy]) rmSync(folder, { recursive: true, force: true })
    }
  })

  describe.skipIf(!canContain)('in an empty root', () => {
    let container: Container
    let usual: Sandbox

    beforeAll(() => {
      container = containerOf(join(release, own!.name, 'shipx'))
      usual = sandbox()
    })

    afterAll(() => {
      container.remove()
      usual.remove()
    })

    interface Ended {
      readonly exit: number | null
      readonly stdout: string
      readonly stderr: string
    }

    function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
      let [stdout, stderr] = ['', '']
      child.stdin.end()
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
      return new Promise((resolve) => child.on('close', (exit) => resolve({ exit, stdout, stderr })))
    }

    const run = (line: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
      ended(container.begin(line.split(' '), env))

    test('it links the libraries of C and C++ alone', () => {
      const names = container.libraries.map((path) =>
        path
          .split('/')
          .at(-1)!
          .replace(/\.so.*/, ''),
      )
      const known = [
        'ld-linux-aarch64',
        'ld-linux-x86-64',
        'libc',
        'libdl',
        'libgcc_s',
        'libm',
        'libpthread',
        'libstdc++',
      ]
      expect(names.filter((name) => !known.includes(name))).toEqual([])
    })

    /** What shipx draws by lot for each order and store. */
    const drawn = /\bORD[A-Z0-9]{10}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{14}\b/g

    /** Runs a command with both, with a slash for each blank inside a word; gives how it ended. */
    async function alike(line: string): Promise<number | null> {
      const words = line.split(/\s+/).map((word) => word.replaceAll('/', ' '))
      const [here, there] = [await ended(container.begin(words)), await usual.shipx(words)]
      expect([words, here.exit, here.stdout.replaceAll(drawn, '…')], here.stderr).toEqual([
        words,
        there.exit,
        there.stdout.replaceAll(usual.folder, '/work').replaceAll(drawn, '…'),
      ])
      return here.exit
    }

    test('the tour prints what the installed package prints', { timeout: 300_000 }, async () => {
      const page = readFileSync(join(root, 'docs', 'guides', 'tour.md'), 'utf8')
      const lines = [...page.matchAll(/^\$ shipx ([^|&$>"\\\n]+)$/gm)].map(([, line]) => line!)
      expect(lines.length).toBeGreaterThan(15)
      // Their rows come from threads and a process of their own, and from files of the build.
      const more = [
        'sql select/count(*)/from/shipments',
        'shipments list --limit 3 --json --jq .data[].tracking_number',
      ]
      for (const line of [...lines.slice(0, -1), ...more]) await alike(line)
    })

    test('an order gets its label and the manifest of its pickup, as in the installed package', async () => {
      const lines = [
        'stores create --name acme-kids',
        'local warehouse set WH1 400001',
        `orders create --order-id A-1 --store acme-kids --warehouse WH1 --item CR-02:1:499:Romper --sub-total 499 --cod 499 \
--size 20x15x10 --weight 500g --billing-customer-name आशा/राव --billing-phone 9876543210 --billing-address 12/MG/Road \
--billing-city Bengaluru --billing-state Karnataka --billing-pincode 560001 --yes`,
        'orders label A-1 --out label.pdf --force',
        'orders manifest --courier peepal --warehouse WH1 --out manifest.pdf --force',
      ]
      for (const line of lines) expect([line, await alike(line)]).toEqual([line, 0])
      const folders = [join(container.root, 'work'), usual.folder]
      for (const file of ['label.pdf', 'manifest.pdf']) {
        const [here, there] = await Promise.all(
          folders.map(async (folder) =>
            (await drawnPages(readFileSync(join(folder, file)))).map(({ text, barcodes }) => [
              text.replaceAll(drawn, '…'),
              barcodes.length,
            ]),
          ),
        )
        expect(here).toEqual(there)
        expect(here).toEqual([[expect.stringContaining('A-1'), expect.any(Number)]])
      }
    })

    test('it serves, and answers a request with a key', async () => {
      const key = (await run('keys create served --quiet')).stdout.trim()
      const port = await freePort()
      const service = container.begin(['serve', '--port', String(port), '--json', '--quiet'])
      const closed = ended(service)
      try {
        await new Promise((resolve) => service.stdout.once('data', resolve))
        const url = `http://127.0.0.1:${port}`
        const asked = await fetch(`${url}/custom/api/v1/client-stores`, { headers: { authorization: key } })
        expect([asked.status, await asked.json()]).toMatchObject([200, { data: expect.any(Array) as unknown[] }])
        expect((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status).toBe(200)
      } finally {
        // Its parent keeps the signal to itself.
        for (const pid of await childrenOf(service.pid!)) signal(pid, 'SIGTERM')
        expect((await closed).exit).toBe(0)
      }
    })

    test('doctor says that it is one file, with the SQLite of Node', async () => {
      const { stdout } = await run('doctor --json')
      const { checks } = (JSON.parse(stdout) as { data: { checks: readonly { id: string; found: string }[] } }).data
      expect(checks.find(({ id }) => id === 'native_module')?.found).toBe('node:sqlite, since shipx is one file')
      expect(checks.find(({ id }) => id === 'database_check')?.found).toBe('none found')
    })

    test('where nothing can be written, prices come, and saved data says why there is none', async () => {
      const env = { HOME: '/proc', SHIPX_DATA_DIR: '/proc/data' }
      const quoted = await run('rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --prepaid', env)
      expect([quoted.exit, quoted.stdout]).toEqual([0, expect.stringContaining('Peepal Post')])
      const refused = await run('stores create --name acme --json', env)
      expect([refused.exit, refused.stdout, JSON.parse(refused.stderr)]).toMatchObject([
        1,
        '',
        { error: { message: expect.stringContaining('/proc/data') as string } },
      ])
    })

    test('the first quote uses the code that came with it, and keeps none', async () => {
      const env = { SHIPX_CODE_CACHE: '/work/code' }
      await run('rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --prepaid', env)
      expect(existsSync(join(container.root, 'work', 'code'))).toBe(false)
      await run('rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --prepaid --csv', env)
      expect(readdirSync(join(container.root, 'work', 'code'))).toEqual([expect.stringMatching(/^rates-.*\.code$/)])
    })
  })
})

const given = process.env['SHIPX_TEST_RELEASE']

describe.skipIf(given === undefined)('made for all, in SHIPX_TEST_RELEASE', () => {
  test.each(targets)('$name has its format, and something inside', (target) => {
    const file = readFileSync(join(given!, target.name, programName(target)))
    expect(machines[target.name](file)).toBe(true)
    expect([file.includes(`${fuse}:1`), file.includes(`${fuse}:0`)]).toEqual([true, false])
    if (target.format === 'pe') expect(file.readBigUInt64LE(signaturePlace(file))).toBe(0n)
    if (target.format === 'macho') expect(alteredPages(file)).toBe(0)
  })

  test('the archives, with a manifest for Scoop and a formula that names three', () => {
    const archives = targets.map(({ name, archive }) => `shipx-${version}-${name}.${archive}`)
    expect(readdirSync(given!)).toEqual(expect.arrayContaining(archives))
    const formula = readFileSync(join(given!, 'shipx.rb'), 'utf8')
    const manifest = readFileSync(join(given!, 'shipx.json'), 'utf8')
    for (const name of archives) expect(name.endsWith('.zip') ? manifest : formula).toContain(sumOf(join(given!, name)))
  })
})
