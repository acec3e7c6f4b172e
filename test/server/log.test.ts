// Defends the lines of the service's log: each field of an entry is in them, as JSON.
import { expect, test } from 'vitest'
import { logLine, type LogEntry } from '../../src/server/log.ts'

type Of<Level> = Required<Extract<LogEntry, { readonly level: Level }>>

test('a line is its entry as JSON, whatever fields it has', () => {
  // `Required`: a field that is added to an entry has to be added here.
  const asked: Of<Exclude<LogEntry['level'], 'error'>> = {
    level: 'info',
    id: 'a"b',
    method: 'GET',
    route: '/x/:id\n',
    status: 200,
    ms: 1.5,
    account: 'दुकान',
    key: 'k"1',
    code: 'not_found',
  }
  const { account: _account, key: _key, code: _code, ...least } = asked
  const failed: Of<'error'> = { level: 'error', id: 'x', message: 'a "b"\n' }
  for (const entry of [asked, least, { ...least, code: 'x' }, { ...least, account: 'x' }, failed] as LogEntry[])
    expect(JSON.parse(logLine(entry, 0))).toEqual({ time: '1970-01-01T00:00:00.000Z', ...entry })
})
