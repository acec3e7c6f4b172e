// R22: what an attack on the service does to the others who use it: their 99th percentile may double, and nothing crashes.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'
import { askerOf, asking } from './asking.ts'
import { attacks, type Attacked } from './attacks.ts'
import { percentile, share, summed, timed, type Finding, type Size } from './row.ts'
import { peakMb, startServing } from './serving.ts'

const script = fileURLToPath(new URL('attack.ts', import.meta.url))

/** What is not told from nothing on a machine that does other things as well, ms. */
const noise = 15

/**
 * What other work on the machine did is gone when it is looked at again; what an attack does to the service is there each
 * time. After the first look, the calm time is taken while the same attack goes to another service of this machine: what
 * is left is what it does to this one, and not what it takes from two cores.
 */
const looks = 4

/** R22: each attack for so long as the size says, beside a client that goes on asking. */
export const r22 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const seconds = share(size, 40, 2)
    const serving = await startServing(['--rate-limit', '0', '--quiet'])
    const other = await startServing(['--rate-limit', '0', '--quiet']).catch(async (error: unknown) => {
      await serving.close()
      throw error
    })
    const faults: string[] = []
    const figures: string[] = []
    let tried = 0
    const asker = askerOf(serving.url, 4)
    try {
      const { key } = await serving.keyOf('default')
      const { key: otherKey } = await other.keyOf('default')
      await asking(asker, key, 0.5, faults)
      const calmSeconds = Math.min(seconds / 2, 8)
      const timesBeside = async (attacking: Promise<Attacked>, during: number) => {
        const asked = wait(300).then(() => asking(asker, key, during, faults))
        const [times, found] = await Promise.all([asked, attacking])
        return [percentile(times, 99), found] as const
      }
      for (const attack of attacks) {
        let slow: string | undefined
        for (let look = 0; look < looks; look++) {
          const [calm, elsewhere] =
            look === 0
              ? [percentile(await asking(asker, key, calmSeconds, faults), 99)]
              : await timesBeside(attackOn(attack, other.url, otherKey, calmSeconds + 0.3), calmSeconds)
          if (elsewhere?.opened === 0) faults.push(`${attack}: nothing was attacked elsewhere`)
          const [hard, found] = await timesBeside(attackOn(attack, serving.url, key, seconds), seconds - 0.3)
          const figure = `${attack}: p99 ${calm.toFixed(1)} → ${hard.toFixed(1)} ms`
          tried += found.opened
          figures.push(figure)
          if (found.opened === 0) faults.push(`${attack}: nothing was attacked`)
          faults.push(...answersOf(attack, found, seconds))
          slow = hard > Math.max(2 * calm, noise) ? figure : undefined
          if (slow === undefined || !serving.alive()) break
        }
        if (slow !== undefined) faults.push(slow)
        if (!serving.alive()) {
          faults.push(`${attack}: the service has ended: ${serving.log().slice(-500)}`)
          break
        }
      }
      if (serving.log().includes('"level":"error"'))
        faults.push(`an error in the log: ${/.*"level":"error".*/.exec(serving.log())![0].slice(0, 300)}`)
      figures.push(`peak RSS ${peakMb(serving.pid)} MB`)
    } finally {
      asker.close()
      await serving.close().finally(() => other.close())
    }
    return {
      row: 'R22',
      what: `slowloris, slow bodies, 50 MB, depth 10^6, bad framing; ${seconds} s each`,
      tried,
      result: figures.join('; '),
      target: "other clients' p99 ≤ 2x, if need be of what it is while another service is attacked; 0 crashes",
      faults: summed(faults),
    }
  })

/** What an attack must have come to: each limit has done its work. */
function answersOf(attack: string, { opened, closed, answers, longest }: Attacked, seconds: number): readonly string[] {
  const faults: string[] = []
  const wrong = Object.keys(answers).filter((status) => status.startsWith('5'))
  if (wrong.length > 0) faults.push(`${attack}: answered ${wrong.join(', ')}`)
  // Headers may take 10 s and a request 30 s; connections are looked at each second.
  const limit = attack === 'slow headers' ? 14 : attack === 'slow bodies' ? 34 : undefined
  if (limit !== undefined && seconds > limit && (closed < opened || longest > limit * 1000))
    faults.push(`${attack}: ${closed} of ${opened} were closed, the longest after ${longest} ms`)
  if (attack === 'bodies of 50 MB' && (answers['413'] ?? 0) === 0)
    faults.push(`${attack}: never 413, but ${JSON.stringify(answers)}`)
  if (attack === 'a million levels' && (answers['400'] ?? 0) === 0)
    faults.push(`${attack}: never 400, but ${JSON.stringify(answers)}`)
  return faults
}

function attackOn(kind: string, url: string, key: string, seconds: number): Promise<Attacked> {
  return new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', script, kind, url, key, String(seconds)]
    execFile(process.execPath, args, { timeout: (seconds + 30) * 1000 }, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout) as Attacked)
      else reject(new Error(`the attack failed: ${stderr}`, { cause: error }))
    })
  })
}
