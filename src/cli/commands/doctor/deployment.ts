// Checks of the deployment: its host name, the connection, whether and how it accepts the key, and its clock. Without a
// deployment, sends nothing and looks up no name.
import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, rootCertificates, TLSSocket } from 'node:tls'
import { parseBaseUrl } from '../../../client/baseurl.ts'
import { readHttpDate } from '../../../domain/retryafter.ts'
import { signIn } from '../../../client/signin.ts'
import { variable } from '../../terminal/io.ts'
import { clientSettings } from '../../source/remote.ts'
import { remoteSettings } from '../../config/target.ts'
import { fail, failedBy, ok, patience, warn, type Check, type Finding } from './check.ts'
import type { Scene } from './scene.ts'

/** The address of the deployment that applies, if any. */
function addressOf(scene: Scene): URL | undefined {
  const deployment = scene.deployment()
  return 'error' in deployment || deployment.value === undefined ? undefined : new URL(deployment.value.base_url)
}

/** The variable that names a proxy for an address. The proxy then looks up names and connects. */
function proxyFor({ context: { io } }: Scene, url: URL): string | undefined {
  const { secure, loopback } = parseBaseUrl(url.href)
  if (!secure || loopback) return undefined
  return ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].find((name) => variable(io, name) !== undefined)
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const deployment: Check = {
  id: 'deployment',
  title: 'Account',
  look: (scene) => {
    if ('error' in scene.profiles) return undefined
    const found = scene.deployment()
    if ('error' in found) return failedBy(found.error)
    if (found.value === undefined) return ok('none: shipx works on this computer')
    const { base_url, by, chosen } = found.value
    return ok(`${base_url}, from ${by === 'profile' ? `profile ${chosen!.name}` : by}`)
  },
}

const name: Check = {
  id: 'dns',
  title: 'Its name',
  look: async (scene) => {
    const url = addressOf(scene)
    if (url === undefined || isIP(hostOf(url)) !== 0) return undefined
    const proxy = proxyFor(scene, url)
    if (proxy !== undefined) return ok(`looked up by the proxy in ${proxy}`)
    const began = performance.now()
    try {
      const found = await lookup(hostOf(url), { all: true })
      return ok(
        `${hostOf(url)} is ${found
          .map(({ address }) => address)
          .slice(0, 3)
          .join(', ')} (${passed(began)})`,
      )
    } catch (error) {
      scene.heard.unreachable = true
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      return fail(
        `${hostOf(url)} ${code === 'ENOTFOUND' ? 'is not known' : `cannot be looked up (${code})`}`,
        'check the address: shipx profile show',
      )
    }
  },
}

const passed = (began: number): string => `${Math.round(performance.now() - began)} ms`

/** shipx warns about a certificate that expires within this time, ms. */
const soon = 14 * 86_400_000

const connection: Check = {
  id: 'connection',
  title: 'Connection',
  look: (scene, stop) => {
    const url = addressOf(scene)
    if (url === undefined || scene.heard.unreachable) return undefined
    const proxy = proxyFor(scene, url)
    if (proxy !== undefined) return ok(`through the proxy in ${proxy}`)
    const { ca } = remoteSettings(scene.context.io)
    const [secure, host] = [url.protocol === 'https:', hostOf(url)]
    const port = Number(url.port === '' ? (secure ? 443 : 80) : url.port)
    const began = performance.now()
    return new Promise<Finding>((resolve) => {
      const socket: Socket = secure
        ? connectTls({
            host,
            port,
            ...(isIP(host) === 0 ? { servername: host } : {}),
            ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
          })
        : connect({ host, port })
      stop.addEventListener('abort', () => socket.destroy())
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        resolve(
          socket instanceof TLSSocket
            ? trusted(socket, scene, passed(began))
            : ok(`connected in ${passed(began)}, without TLS to this machine`),
        )
        socket.destroy()
      })
      socket.once('error', (error: NodeJS.ErrnoException) => {
        scene.heard.unreachable = true
        const distrusted = /CERT|SIGN|ISSUER|TRUST/.test(error.code ?? '')
        const hint = distrusted ? 'name the authority with SHIPX_CA_FILE' : 'check the address and the network'
        resolve(fail(`${url.host}: ${error.message}`, hint))
      })
    })
  },
}

function trusted(socket: TLSSocket, { context }: Scene, took: string): Finding {
  const until = Date.parse(socket.getPeerCertificate().valid_to)
  const found = `connected in ${took}, ${socket.getProtocol() ?? 'TLS'}`
  if (!(until - context.io.host.now() < soon)) return ok(found)
  return warn(
    `${found}; its certificate ends on ${new Date(until).toISOString().slice(0, 10)}`,
    'report it to the people who run the service',
  )
}

const key: Check = {
  id: 'sign_in',
  title: 'Sign-in',
  look: async (scene) => {
    const { context } = scene
    if (addressOf(scene) === undefined || scene.heard.unreachable) return undefined
    const target = await scene.target()
    // The check of the key has reported it.
    if ('error' in target || target.value.kind === 'embedded') return undefined
    const { base_url, key: text, scheme: kept } = target.value
    let latency = 0
    const { scheme, capabilities } = await signIn({
      ...clientSettings(context),
      base_url,
      key: text,
      // The request must end by itself: the check waits no longer than that.
      timeout_ms: patience - 500,
      patience_ms: 0,
      trace: ({ ms, answer_headers }) => {
        latency = ms
        scene.heard.date = answer_headers['date']
        scene.heard.at = context.io.host.now()
      },
    })
    const form = scheme === 'bearer' ? 'behind Bearer' : 'alone'
    const announced = capabilities.size === 0 ? 'nothing' : [...capabilities].join(', ')
    const found = `takes the key ${form}, answers in ${Math.round(latency)} ms, announces ${announced}`
    return scheme === kept
      ? ok(found)
      : warn(
          `${found}; requests are sent with the key ${kept === 'bearer' ? 'behind Bearer' : 'alone'}`,
          `shipx profile set auth_scheme ${scheme}`,
        )
  },
}

/** A larger difference between the clocks makes times and signatures unreliable, ms. */
const apart = 120_000

const clock: Check = {
  id: 'clock',
  title: 'Clock',
  look: ({ context: { io }, heard }) => {
    if (variable(io, 'SHIPX_NOW') !== undefined)
      return warn(`SHIPX_NOW holds it at ${new Date(io.host.now()).toISOString()}`, 'unset SHIPX_NOW')
    const there = readHttpDate(heard.date ?? '')
    if (there === undefined || heard.at === undefined) return undefined
    const difference = heard.at - there
    const seconds = Math.round(Math.abs(difference) / 1000)
    const found = `${seconds} s ${difference < 0 ? 'behind' : 'ahead of'} the service's`
    return Math.abs(difference) > apart ? warn(found, 'set the clock of this machine') : ok(found)
  },
}

export const deploymentChecks: readonly Check[] = [deployment, name, connection, key, clock]
