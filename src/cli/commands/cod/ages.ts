// The fields of `shipx cod due` for what is owed by age, and the words of its --only.
import { codAges, notInBank, type CodAge } from '../../../domain/money/codjudge.ts'

/** The field of each age. */
export const ageKeys: Readonly<Record<CodAge, string>> = {
  'not due': 'not_due',
  'due today': 'due_today',
  '1-3 days': 'late_1_3',
  '4-7 days': 'late_4_7',
  '8-15 days': 'late_8_15',
  'over 15 days': 'late_over_15',
}

/** What --only takes: ages, all that is late, and what the bank never got. */
export const dueWords: readonly string[] = [...Object.values(ageKeys), 'late', notInBank]

/** What tables call one of these. */
export const dueName = (word: string): string => codAges.find((age) => ageKeys[age] === word) ?? word
