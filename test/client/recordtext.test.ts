// Defends the records of an answer as the text that was sent: cut in linear time, and never wrongly.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutPage, cutRecords, outline } from '../../src/client/recordtext.ts'
import { runs } from '../support/size.ts'
import { serve, json, client } from './loopback.ts'

describe('records', () => {
  test('are text as it was sent, on one line', async () => {
    const sent =
      '{ "data" :\r\n[ {"id": "a", "n": 12345678901234567890, "f": 1.0, "e": 1E5, "z": -0.0,\n\t"u": "\\u00e9 \\ud83d\\ude00 \\/ \\" \\\\", "s": "a  b\\n { [ ] } , " , "deep": [ 1 , { } , [ ] ] } , {"id":"b"}\n] , "meta": {"data": [9]} }'
    const { url } = await serve((_, response) => json(response, sent))
    const { records } = await client(url).service.listShipments({})
    expect(records).toEqual([
      '{"id":"a","n":12345678901234567890,"f":1.0,"e":1E5,"z":-0.0,"u":"\\u00e9 \\ud83d\\ude00 \\/ \\" \\\\","s":"a  b\\n { [ ] } , ","deep":[1,{},[]]}',
      '{"id":"b"}',
    ])
  })

  test.each([
    ['[]', []],
    ['[ ]', []],
    ['{"data":[]}', []],
    ['{"data":[1,"a]",null,true]}', ['1', '"a]"', 'null', 'true']],
    ['{"data":{"data":[1]}}', undefined],
    ['{"meta":{"data":[1]},"x":"\\"data\\":[2]"}', undefined],
    ['{"d\\u0061ta":[1]}', ['1']],
    ['{"data":[1],"data":[2]}', ['2']],
    ['{"data":[1],"data":null}', undefined],
    ['{"a":1.5,"b":"\\\\","data":[[1],{"a":[]}],"c":false}', ['[1]', '{"a":[]}']],
    ['"data"', undefined],
    ['7', undefined],
  ])('of %s are %j', (text, records) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow()
    expect(cutRecords(text)).toEqual(records)
  })

  test('are cut in linear time, and never deeper than an answer is', () => {
    const began = performance.now()
    const wide = `{"data":[${Array.from({ length: 100_000 }, (_, n) => `{"id":"${n}","s":"\\\\\\""}`).join(' , ')}]}`
    expect(cutRecords(wide)).toHaveLength(100_000)
    expect(cutRecords(`{"data":["${'\\\\'.repeat(500_000)}"]}`)![0]).toHaveLength(1_000_002)
    expect(performance.now() - began).toBeLessThan(2000)
    expect(() => cutRecords(`{"data":[${'['.repeat(1000)}${']'.repeat(1000)}]}`)).toThrow(RangeError)
  })

  test('of a page in the form of our own service are the same, however they were cut, and broken ones are none', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('},{"id":"', '],"meta":{', '"}', '\n'))
    const nested = fc.array(fc.record({ id: text, n: fc.double() }), { maxLength: 3 })
    const record = fc.record({ id: text, name: text, items: nested, more: fc.jsonValue() })
    const page = fc.record({
      data: fc.array(record, { minLength: 1, maxLength: 5 }),
      meta: fc.dictionary(text, fc.jsonValue()),
    })
    let [cut, broken] = [0, 0]
    fc.assert(
      fc.property(
        page,
        fc.nat(),
        fc.constantFrom('', '"', '}', ']', ',', '{', '],"meta":{', '},{"id":"'),
        (value, at, noise) => {
          const sent = JSON.stringify(value)
          const found = cutPage(Buffer.from(sent))
          if (found !== undefined) {
            cut++
            expect(found).toMatchObject({ records: cutRecords(sent), json: JSON.parse(sent) })
            expect(Buffer.from(found.lines).toString().split('\n')).toEqual(found.records)
          }
          const place = at % sent.length
          const wrong = sent.slice(0, place) + noise + sent.slice(place + (noise === '' ? 1 : 0))
          const other = cutPage(Buffer.from(wrong))
          if (other === undefined) return
          broken++
          expect(other).toMatchObject({ records: cutRecords(wrong), json: JSON.parse(wrong) })
        },
      ),
      { numRuns: runs(300, 3000) },
    )
    expect(cut).toBeGreaterThan(runs(20, 300))
    expect(broken).toBeGreaterThan(runs(0, 30))
    const deep = `{"data":[{"id":"1","d":${'['.repeat(5000)}${']'.repeat(5000)}}],"meta":{}}`
    expect(cutPage(Buffer.from(deep))).toBeUndefined()
  })

  test('a text that breaks off is told from one that is wrong', () => {
    for (const text of ['{"data":[', '{"a":"b', '{"a":"b\\"', '[1,{"a":']) expect(outline(text).cut).toBe(true)
    for (const text of ['{"a":NaN}', 'hello', '{}', '{"a":"]"}']) expect(outline(text).cut).toBe(false)
  })
})
