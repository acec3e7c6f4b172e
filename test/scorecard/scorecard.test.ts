// Defends the scorecard's rows about the service and the command as a whole, as samples of a few seconds each; at full
// size they are `npm run scorecard`. The rows about the client alone are in remote.test.ts.
// @module-tag full: minutes of killed programs, full disks and attacks
import { describe, expect, test } from 'vitest'
import { h5 } from './h5.ts'
import { m8 } from './m8.ts'
import { h2 } from './h2.ts'
import { l12 } from './l12.ts'
import { l9 } from './l9.ts'
import { l13 } from './l13.ts'
import { canMount as canMountBoth } from '../support/mounts.ts'
import { l3, m6, m7 } from './asked.ts'
import { l1, l7, l11, m9 } from './places.ts'
import { h1, m1, m2 } from './restoring.ts'
import { r1 } from './r1.ts'
import { r1s } from './r1s.ts'
import { canTrace, r2, r5 } from './r2.ts'
import { r3 } from './r3.ts'
import { r4 } from './r4.ts'
import { canMount, r6 } from './r6.ts'
import { r10 } from './r10.ts'
import { r11 } from './r11.ts'
import { r14 } from './r14.ts'
import { r16 } from './r16.ts'
import { r17 } from './r17.ts'
import { r18 } from './r18.ts'
import { r19 } from './r19.ts'
import { r20 } from './r20.ts'
import { r22 } from './r22.ts'
import { r23 } from './r23.ts'
import { r24 } from './r24.ts'
import { r25 } from './r25.ts'
import { r26 } from './r26.ts'
import { r27 } from './r27.ts'
import { r28 } from './r28.ts'
import { r32 } from './r32.ts'
import { r29 } from './r29.ts'
import { r30 } from './r30.ts'
import { r31 } from './r31.ts'
import { r7, r7Postgres } from './r7.ts'
import { r7i } from './r7i.ts'
import { r8i } from './r8i.ts'
import { r9 } from './r9.ts'
import { l6 } from './l6.ts'
import { m5 } from './m5.ts'
import { listening } from './listening.ts'
import type { Finding } from './row.ts'
import { hotStandby } from './standby.ts'
import { h3 } from './h3.ts'
import { h4 } from './h4.ts'
import { l2 } from './l2.ts'
import { l4 } from './l4.ts'
import { l5 } from './l5.ts'
import { l8 } from './l8.ts'
import { l10 } from './l10.ts'
import { m3, m4 } from './m3.ts'

const unix = process.platform !== 'win32'

describe.skipIf(!unix)('the scorecard', () => {
  const passes = ({ faults, tried }: Finding): void => {
    // As one text: a list of them would be printed as "[ Array(1) ]" where only the message is kept.
    expect(faults.join('\n')).toBe('')
    expect(tried).toBeGreaterThan(0)
  }
  test('R1: an import that is killed and run again', async () => passes(await r1(0.01)))
  test('R1S: the same to a service', async () => passes(await r1s(0.04)))
  test.skipIf(!canTrace())('R2: killed at a write or sync', async () => passes(await r2(0.008)))
  test.skipIf(!canTrace())('R3: power loss', async () => passes(await r3(0.004)))
  test('R4: eight processes that write to one database', async () => passes(await r4(0.02)))
  test.skipIf(!canTrace())('R5: EIO and ENOSPC at a write or sync', async () => passes(await r5(0.004)))
  test.skipIf(!canMount())('R6: a disk that fills up', async () => passes(await r6(0.02)))
  test('R16: hostile strings in every field and format', async () => passes(await r16(0.01)))
  test('R17: a CSV export imports as it was', async () => passes(await r17(0.1)))
  test('R23: the memory of whole imports and lists', async () => passes(await r23(0.002)))
  test('R24: walks by cursor while records are written', async () => passes(await r24(0.02)))
  test('R25: signals, readers that go, full outputs', async () => passes(await r25(0.04)))
  test('R7: every order exactly once through a proxy that cuts', async () => passes(await r7(0.02)))
  test('R7 on PostgreSQL', async () => passes(await r7Postgres(0.01)))
  test('R7I: an import of orders through such a proxy', async () => passes(await r7i(0.01)))
  test('R8I: to a deployment without idempotency', async () => passes(await r8i(0.005)))
  test('R9: one idempotency key, many requests at once, one order', async () => passes(await r9(0.002)))
  test('R10: whatever dies, what was acknowledged stays', async () => passes(await r10(0.005)))
  test('R11: a migration that is killed, and replicas that come up together', async () => passes(await r11(0.01)))
  test('a hot standby that is held back, away and back', async () => passes(await hotStandby(0.05)))
  test('webhooks through a cut cable, and a listener that is killed', async () => passes(await listening(0.04)))
  test('R14: the key is in no output and no file', async () => passes(await r14(0.02)))
  test('R18: searches are what a naive filter keeps', async () => passes(await r18(0.012)))
  test('R19: injection strings', async () => passes(await r19(0.02)))
  test('R20: nothing of another account', async () => passes(await r20(1)))
  test('R26: money, weights and days in every time zone', async () => passes(await r26(0.01)))
  test('R27: logos and what is none', async () => passes(await r27(0.02)))
  test('R28: hostile brands and customers in messages', async () => passes(await r28(0.1)))
  test('R32: the packed program alone, with every Node that is there', async () => passes(await r32(0.1)))
  test('R29: damaged, older, newer and foreign files', async () => passes(await r29(0.008)))
  test('R30: a service under load, and copies put back', async () => passes(await r30(0.0028)))
  test('R31: edits of profiles at the same time', async () => passes(await r31(0.1)))
  test('R22: attacks do not reach the others', async () => passes(await r22(0.03)))
  test('M5: hostile texts on a terminal, every command', async () => passes(await m5(0.005)))
  test('L6: formulas behind separators', async () => passes(await l6(0.1)))

  test.skipIf(process.getuid?.() !== 0)('H5: code planted by another user', async () => passes(await h5(0.02)))
  test('M8: what runs is what can be read', async () => passes(await m8(0.01)))
  test('H2: a megabyte in every shape that multiplies', async () => passes(await h2(0.05)))
  test('L12: ids that look the same, and the most that one key can bring', async () => passes(await l12(0.05)))

  test('L9: answers full of values, and a walk by page', async () => passes(await l9(0.005)))
  test('L13: a key in the address', async () => passes(await l13(0.02)))

  test('H1: a copy restored after a crash and beside a service', async () => passes(await h1(0.05)))
  test('M1: a backup that is killed', async () => passes(await m1(0.1)))
  test('M2: a migration that is killed', async () => passes(await m2(0.1)))
  test('M6: expressions and texts that make them slow', async () => passes(await m6(0.3)))
  test('M7: queries in SQL without measure', async () => passes(await m7(0.3)))
  test.skipIf(!canMountBoth)('M9: a disk that cannot be written', async () => passes(await m9(0.3)))
  test.skipIf(!canMountBoth)('L1: full disks and few open files', async () => passes(await l1(0.08)))
  test('L3: questions of damaged files', async () => passes(await l3(0.07)))
  test('L7: inputs without an end', async () => passes(await l7(0.1)))
  test('L11: homes that are no folder', async () => passes(await l11()))

  test('H3: huge pages that nobody reads', async () => passes(await h3(0.02)))
  test('H4: more connections than descriptors', async () => passes(await h4(0.05)))
  test('M3: one account’s slow searches', async () => passes(await m3(0.03)))
  test('M4: questions that were quick a moment ago', async () => passes(await m4(0.03)))
  test.skipIf(!canMount())('L2: a service on a full disk', async () => passes(await l2(0.05)))
  test('L4: boundaries of forms', async () => passes(await l4(0.05)))
  test('L5: SIGUSR1 and SIGHUP', async () => passes(await l5(0.05)))
  test('L8: a PostgreSQL that hangs', async () => passes(await l8(0.1)))
  test('L10: headers that count once', async () => passes(await l10()))
})
