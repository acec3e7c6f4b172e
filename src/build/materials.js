// The bill of materials of the build (CycloneDX 1.6): the packages whose code is inside. `npm audit` of an installation
// does not see them. The same lockfile makes the same bytes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const hex = (integrity) => Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')

/** The bill as text; `folders` are the packages' folders as in the lockfile. */
export function billOfMaterials(root, folders) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const components = folders.map((folder) => {
    const about = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const { integrity } = packages[folder] ?? {}
    if (!integrity?.startsWith('sha512-')) throw new Error(`${folder} is in the build and not in package-lock.json`)
    const purl = `pkg:npm/${about.name.replace('@', '%40')}@${about.version}`
    return {
      type: 'library',
      'bom-ref': purl,
      name: about.name,
      version: about.version,
      licenses: [{ license: { id: about.license } }],
      purl,
      hashes: [{ alg: 'SHA-512', content: hex(integrity) }],
    }
  })
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `pkg:npm/${name}@${version}`,
        name,
        version,
        licenses: [{ license: { id: license } }],
        purl: `pkg:npm/${name}@${version}`,
      },
    },
    components,
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}
