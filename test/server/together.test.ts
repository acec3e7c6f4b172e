// Answers that go out together, at the end of a turn of the event loop.
import { expect, test } from 'vitest'
import { endOfTurn } from '../../src/server/together.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Answers that note their names when they go. */
function answers(): { readonly go: (name: string) => void; readonly gone: readonly string[] } {
  const atEndOfTurn = endOfTurn()
  const gone: string[] = []
  const noted = (name: string) => (): void => void gone.push(name)
  return { go: (name) => atEndOfTurn(noted(name), () => expect.unreachable()), gone }
}

test('all of one turn go in their order, when the turn ends, and those of the next turn by themselves', async () => {
  const { go, gone } = answers()
  go('a')
  await Promise.resolve()
  go('b')
  expect(gone).toEqual([])
  await turn()
  expect(gone).toEqual(['a', 'b'])
  go('c')
  await turn()
  expect(gone).toEqual(['a', 'b', 'c'])
})

test('an answer that could not be sent kept the others of its turn back', async () => {
  const atEndOfTurn = endOfTurn()
  const gone: string[] = []
  const failed: unknown[] = []
  const fault = new Error('invalid character in a header')
  atEndOfTurn(
    () => {
      throw fault
    },
    (error) => failed.push(error),
  )
  atEndOfTurn(
    () => void gone.push('b'),
    () => expect.unreachable(),
  )
  await turn()
  expect([gone, failed]).toEqual([['b'], [fault]])
})

test('a quote waited for every order of its turn, though each of them took the disk some milliseconds', async () => {
  const { go, gone } = answers()
  go('quote')
  for (const until = performance.now() + 5; performance.now() < until;);
  go('order')
  expect(gone).toEqual(['quote', 'order'])
  go('later')
  expect(gone).toEqual(['quote', 'order'])
  await turn()
  expect(gone).toEqual(['quote', 'order', 'later'])
})
