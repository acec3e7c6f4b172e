// The rows of the scorecard that can be run, by name, in the order in which they are printed.
import { h5 } from './h5.ts'
import { m8 } from './m8.ts'
import { h2 } from './h2.ts'
import { l12 } from './l12.ts'
import { l9 } from './l9.ts'
import { l13 } from './l13.ts'
import { l3, m6, m7 } from './asked.ts'
import { l1, l7, l11, m9 } from './places.ts'
import { h1, m1, m2 } from './restoring.ts'
import { r1 } from './r1.ts'
import { r1s } from './r1s.ts'
import { r2, r5 } from './r2.ts'
import { r3 } from './r3.ts'
import { r4 } from './r4.ts'
import { r6 } from './r6.ts'
import { r7, r7Postgres } from './r7.ts'
import { r7i } from './r7i.ts'
import { r8 } from './r8.ts'
import { r8i } from './r8i.ts'
import { r9 } from './r9.ts'
import { r10 } from './r10.ts'
import { r11 } from './r11.ts'
import { r12 } from './r12.ts'
import { r13 } from './r13.ts'
import { r14 } from './r14.ts'
import { r15 } from './r15.ts'
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
import { l6 } from './l6.ts'
import { listening } from './listening.ts'
import { m5 } from './m5.ts'
import type { Finding, Size } from './row.ts'
import { hotStandby } from './standby.ts'
import { h3 } from './h3.ts'
import { h4 } from './h4.ts'
import { l2 } from './l2.ts'
import { l4 } from './l4.ts'
import { l5 } from './l5.ts'
import { l8 } from './l8.ts'
import { l10 } from './l10.ts'
import { m3, m4 } from './m3.ts'

export const rows: Readonly<Record<string, (size: Size) => Promise<Finding>>> = {
  R1: r1,
  R1S: r1s,
  R2: r2,
  R3: r3,
  R4: r4,
  R5: r5,
  R6: r6,
  R7: r7,
  R7P: r7Postgres,
  R7I: r7i,
  R8: r8,
  R8I: r8i,
  R9: r9,
  R10: r10,
  R11: r11,
  R12: r12,
  R13: r13,
  R14: r14,
  R15: r15,
  R16: r16,
  R17: r17,
  R18: r18,
  R19: r19,
  R20: r20,
  R22: r22,
  R23: r23,
  R24: r24,
  R25: r25,
  R26: r26,
  R27: r27,
  R28: r28,
  R32: r32,
  R29: r29,
  R30: r30,
  R31: r31,
  STANDBY: hotStandby,
  LISTEN: listening,
  H5: h5,
  M8: m8,
  H2: h2,
  L12: l12,
  M5: m5,
  L6: l6,
  L9: l9,
  L13: l13,
  H1: h1,
  M1: m1,
  M2: m2,
  M6: m6,
  M7: m7,
  M9: m9,
  L1: l1,
  L3: l3,
  L7: l7,
  L11: l11,
  // What one account, or a stranger, may cost the others.
  H3: h3,
  H4: h4,
  M3: m3,
  M4: m4,
  L2: l2,
  L4: l4,
  L5: l5,
  L8: l8,
  L10: l10,
}
