// What a release needs beside its archives: sums, a formula, a manifest, a script, a Dockerfile.
import type { Target } from './targets.ts'

/** An archive that is made. */
export interface Archive {
  readonly target: Target
  readonly file: string
  /** SHA-256, hex. */
  readonly sum: string
}

/** What the papers say of a release; `url` is the folder that archives are downloaded from. */
export interface Release {
  readonly version: string
  readonly about: string
  readonly homepage: string
  readonly url: string
  readonly archives: readonly Archive[]
}

/** The lines of SHA256SUMS, as `sha256sum --check` reads them. */
export const sumsOf = (files: readonly { readonly file: string; readonly sum: string }[]): string =>
  files.map(({ file, sum }) => `${sum}  ${file}\n`).join('')

const ruby = (text: string): string => `"${text.replace(/["\\#]/g, String.raw`\$&`)}"`

/** The formula for Homebrew, of the archives for macOS and Linux. */
export function formula({ version, about, homepage, url, archives }: Release): string {
  const block = (system: 'macos' | 'linux', cpu: 'arm' | 'intel', name: Target['name']): string => {
    const found = archives.find(({ target }) => target.name === name)
    if (found === undefined) return ''
    return `  on_${system} do
    on_${cpu} do
      url ${ruby(`${url}/${found.file}`)}
      sha256 "${found.sum}"
    end
  end
`
  }
  return `class Shipx < Formula
  desc ${ruby(about)}
  homepage ${ruby(homepage)}
  version "${version}"
  license "MIT"

${block('macos', 'arm', 'darwin-arm64')}${block('linux', 'intel', 'linux-x64')}${block('linux', 'arm', 'linux-arm64')}
  def install
    bin.install "bin/shipx"
    man1.install "share/man/man1/shipx.1"
    bash_completion.install "share/bash-completion/completions/shipx"
    zsh_completion.install "share/zsh/site-functions/_shipx"
    fish_completion.install "share/fish/vendor_completions.d/shipx.fish"
    doc.install Dir["share/doc/shipx/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/shipx --version")
  end
end
`
}

/** The manifest for Scoop; undefined without the archive for Windows. */
export function scoop({ version, about, homepage, url, archives }: Release): string | undefined {
  const found = archives.find(({ target }) => target.name === 'win-x64')
  if (found === undefined) return undefined
  const manifest = {
    version,
    description: about,
    homepage,
    license: 'MIT',
    architecture: { '64bit': { url: `${url}/${found.file}`, hash: found.sum } },
    extract_dir: found.file.replace(/\.zip$/, ''),
    bin: String.raw`bin\shipx.exe`,
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** A template (install.sh, Dockerfile) with the values of a release. */
export const filled = (template: string, { version, url }: Release): string =>
  template.replaceAll('@VERSION@', version).replaceAll('@URL@', url)
