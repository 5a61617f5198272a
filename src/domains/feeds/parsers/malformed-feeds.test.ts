import { describe, expect, test } from 'vitest'
import type { ParserSettings } from '../parser-settings.ts'
import { FeedFormatError } from './feed-row.ts'
import { inShort, readWhole } from './read-whole.test-support.ts'

/** `rows` in short: values, or `!line` for a problem row. `fails`: what the error of the whole file says; rows before it are kept. */
type Case = { title: string; format?: 'CSV' | 'JSON'; body: string | Buffer; settings?: ParserSettings; rows: string[]; fails?: RegExp }

const LONG_LINE = 'a'.repeat(70_000)
const CSV2: ParserSettings = { delimiter: ',', header: 'none', value: 2 }
const NDJSON: ParserSettings = { mode: 'ndjson', value: 'v' }
const ARRAY: ParserSettings = { mode: 'array', value: 'v' }
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const repeated = (text: string, times: number) => Array.from({ length: times }, () => text)

// biome-ignore format: one case per line
const CASES: Case[] = [
  // Nothing, or nearly nothing
  { title: 'an empty body is an empty list',                            body: '', rows: [] },
  { title: 'a lone byte-order mark is an empty list',                   body: '\uFEFF', rows: [] },
  { title: 'blank lines alone are an empty list',                       body: '\n\r\n \t \n', rows: [] },
  { title: 'comments alone are an empty list',                          body: '# nothing\n; today\n// here\n', rows: [] },
  { title: 'one value without a final newline',                         body: 'evil.example', rows: ['evil.example'] },
  { title: 'a file of blank two-column rows is blank',                  body: ',\n'.repeat(3000), rows: [], settings: { value: 1 } },
  { title: 'blank rows around values do not count',                     body: ',\nevil.example,x\n,\nbad.example,y\n,\n', rows: ['evil.example', 'bad.example'], settings: { value: 1, header: 'none' } },
  { title: 'an empty body is not JSON',                   format: 'JSON', body: '', rows: [], fails: /empty/ },
  { title: 'blanks alone are not JSON',                   format: 'JSON', body: ' \n ', rows: [], fails: /empty/ },
  { title: 'no lines are an empty NDJSON',                format: 'JSON', body: '', rows: [], settings: NDJSON },
  // Something else in place of the list
  { title: 'an HTML page',                                              body: '<!DOCTYPE html>\n<html><body>login.example.com</body></html>', rows: [], fails: /HTML page/ },
  { title: 'an HTML page behind blank lines and a mark',                body: '\uFEFF\n\n  <HTML>\nevil.example\n', rows: [], fails: /HTML page/ },
  { title: 'an HTML page that opens with a comment',                    body: '<!-- proxy -->\n<html>evil.example</html>\n', rows: [], fails: /HTML page/ },
  { title: 'an HTML page, though the value column is set',              body: '<html>\n<p>evil.example</p>\n', rows: [], settings: { value: 1 }, fails: /HTML page/ },
  { title: 'an HTML page of one endless line',                          body: `<!doctype html>${LONG_LINE}`, rows: [], fails: /HTML page/ },
  { title: 'an XML error document',                                     body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', rows: [], fails: /XML/ },
  { title: 'an HTML page in place of JSON',               format: 'JSON', body: '<html>evil.example</html>', rows: [], fails: /HTML page/ },
  { title: 'a plain sentence',                                          body: 'Service temporarily unavailable, please try later\n', rows: [], fails: /None of the first 1 rows.*Service temporarily/ },
  { title: 'prose of several lines',                                    body: 'Dear user\nyou have used up your quota\ngood bye\n', rows: [], fails: /holds an indicator/ },
  { title: 'JSON in place of CSV',                                      body: '{"error": "quota exceeded"}\n', rows: [], fails: /looks like JSON/ },
  { title: 'CSV in place of JSON',                        format: 'JSON', body: 'domain,x\nevil.example,1\n', rows: [], fails: /not JSON.*domain,x/ },
  { title: 'a bare word in place of JSON',                format: 'JSON', body: 'null', rows: [], fails: /not JSON/ },
  { title: 'an error object in place of records',         format: 'JSON', body: '{"query_status":"unknown_auth_key"}', rows: [], fails: /fields are: query_status/ },
  { title: 'a gzip archive',                                            body: Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(600, 7)]), rows: [], fails: /gzip/ },
  { title: 'a zip archive',                                             body: Buffer.from('PK\u0003\u0004rest'), rows: [], fails: /zip/ },
  { title: 'an xz archive',                                             body: Buffer.from('fd377a585a00000a', 'hex'), rows: [], fails: /xz archive, inside another one/ },
  { title: 'a tar archive',                                             body: Buffer.concat([Buffer.from('list.csv'), Buffer.alloc(249), Buffer.from('ustar\u000000'), Buffer.alloc(300), Buffer.from('evil.example\n')]), rows: [], fails: /tar archive/ },
  { title: 'a RAR archive',                                             body: Buffer.from('Rar!\u001a\u0007'), rows: [], fails: /RAR/ },
  { title: 'a PDF document',                                            body: '%PDF-1.7\n', rows: [], fails: /PDF/ },
  // Encodings
  { title: 'a UTF-8 mark is not part of the first value',               body: '\uFEFFevil.example\nbad.example\n', rows: ['evil.example', 'bad.example'] },
  { title: 'UTF-16 LE by its mark',                                     body: Buffer.from('\uFEFFevil.example\r\nb\u00fccher.example\r\n', 'utf16le'), rows: ['evil.example', 'b\u00fccher.example'] },
  { title: 'UTF-16 BE by its mark',                                     body: utf16be('\uFEFFevil.example\nbad.example\n'), rows: ['evil.example', 'bad.example'] },
  { title: 'UTF-16 LE without a mark shows itself by its zeros',        body: Buffer.from('evil.example\nbad.example\n', 'utf16le'), rows: ['evil.example', 'bad.example'] },
  { title: 'UTF-16 BE by the setting',                                  body: utf16be('\u4f8b.example\nbad.example\n'), rows: ['\u4f8b.example', 'bad.example'], settings: { encoding: 'utf-16be', value: 1 } },
  { title: 'UTF-16 with an odd last byte',                              body: Buffer.concat([Buffer.from('\uFEFFevil.example\nbad.example\n', 'utf16le'), Buffer.from([0x61])]), rows: ['evil.example', 'bad.example', '!3'] },
  { title: 'UTF-16 JSON',                                 format: 'JSON', body: Buffer.from('\uFEFF[{"v":"evil.example"}]', 'utf16le'), rows: ['evil.example'] },
  { title: 'Windows-1252 by the setting',                               body: Buffer.from('b\u00fccher.example,\u0080\n', 'latin1'), rows: ['b\u00fccher.example'], settings: { encoding: 'windows-1252', value: 1, header: 'none' } },
  { title: 'bytes that are not UTF-8 damage only their row',            body: Buffer.concat([Buffer.from('evil.example\nb'), Buffer.from([0xfc]), Buffer.from('cher.example\nbad.example\n')]), rows: ['evil.example', '!2', 'bad.example'] },
  { title: 'damage outside of the value does no harm',                  body: Buffer.concat([Buffer.from('a'), Buffer.from([0xff, 0xc3]), Buffer.from(',evil.example\n')]), rows: ['evil.example'], settings: CSV2 },
  { title: 'a multi-byte character cut at the end',                     body: Buffer.concat([Buffer.from('evil.example\nbad.example\nx'), Buffer.from([0xe2, 0x82])]), rows: ['evil.example', 'bad.example', '!3'] },
  { title: 'a NUL damages only its row',                                body: 'evil.example\nb\u0000d.example\nbad.example\n', rows: ['evil.example', '!2', 'bad.example'] },
  { title: 'a tail of NULs is one damaged row',                         body: `evil.example\nbad.example\n${'\u0000'.repeat(5000)}`, rows: ['evil.example', 'bad.example', '!3'] },
  // Lines
  { title: 'CRLF, LF and CR mixed in one file',                         body: 'a.example\r\nb.example\nc.example\rd.example\r\n', rows: ['a.example', 'b.example', 'c.example', 'd.example'] },
  { title: 'a lone CR at the very end',                                 body: 'a.example\nb.example\r', rows: ['a.example', 'b.example'] },
  { title: 'a line that is too long is one problem, the rest goes on',  body: `evil.example\n${LONG_LINE}\nbad.example\n`, rows: ['evil.example', '!2', 'bad.example'] },
  { title: 'a line that is too long at the end',                        body: `evil.example\n${LONG_LINE}`, rows: ['evil.example', '!2'] },
  { title: 'a file of one endless line',                                body: 'x'.repeat(300_000), rows: ['!1'], settings: { value: 1 } },
  { title: 'a line that is too long in a CSV',                          body: `1,evil.example\n2,${LONG_LINE}\n3,bad.example\n`, rows: ['evil.example', '!2', 'bad.example'], settings: CSV2 },
  { title: 'a form feed and a line separator are not line ends',        body: 'evil.example\fx\nbad.example\n', rows: ['evil.example\fx', 'bad.example'], settings: { delimiter: 'none', value: 1, header: 'none' } },
  // Quotes
  { title: 'an unclosed quote on row 1 swallows nothing',               body: '"1,evil.example\n2,bad.example\n3,c.example\n', rows: ['evil.example', 'bad.example', 'c.example'], settings: CSV2 },
  { title: 'an unclosed quote before rows with proper quotes',          body: '"1,evil.example\n"2","bad.example"\n"3","c.example"\n', rows: ['evil.example', 'bad.example', 'c.example'], settings: CSV2 },
  { title: 'an unclosed quote in a header',                             body: 'id,"domain\n1,evil.example\n2,bad.example\n', rows: ['evil.example', 'bad.example'], settings: { delimiter: ',', header: 'first', value: 2 } },
  { title: 'an unclosed quote on the last row',                         body: '1,evil.example\n2,"bad.example', rows: ['evil.example', 'bad.example'], settings: CSV2 },
  { title: 'unclosed quotes on every row',                              body: '"1,a.example\n"2,b.example\n"3,c.example\n', rows: ['a.example', 'b.example', 'c.example'], settings: CSV2 },
  { title: 'an unclosed quote before 500 rows',                         body: `1,"evil.example\n${'2,bad.example\n'.repeat(500)}`, rows: ['evil.example', ...repeated('bad.example', 500)], settings: CSV2 },
  { title: 'an unclosed quote before a line that is too long',          body: `1,"evil.example\n${LONG_LINE}\n2,bad.example\n`, rows: ['evil.example', '!2', 'bad.example'], settings: CSV2 },
  { title: 'a quoted cell over several lines',                          body: '"a\nb\r\nc",evil.example\n', rows: ['evil.example'], settings: CSV2 },
  { title: 'a quoted cell with blank and comment-like lines in it',     body: '"a\n\n# b",evil.example\n', rows: ['evil.example'], settings: CSV2 },
  { title: 'text behind a closing quote is kept',                       body: '"a"b,"evil".example\n', rows: ['evil.example'], settings: CSV2 },
  { title: 'blanks before an opening quote',                            body: '"1", "evil.example", "x, y"\n', rows: ['evil.example'], settings: CSV2 },
  { title: 'doubled quotes',                                            body: '"say ""hi"", you",evil.example\n', rows: ['evil.example'], settings: CSV2 },
  { title: 'a quote in the middle of a cell is text',                   body: 'it"s,evil.example\n', rows: ['evil.example'], settings: CSV2 },
  { title: 'quoted values in a plain list',                             body: '"evil.example"\n"bad.example"\n', rows: ['evil.example', 'bad.example'] },
  // Columns
  { title: 'a row that ends before its value',                          body: '1,evil.example\n2\n3,bad.example\n', rows: ['evil.example', '!2', 'bad.example'], settings: CSV2 },
  { title: 'a file cut in the middle of a row',                         body: '1,evil.example\n2,bad.exam', rows: ['evil.example', 'bad.exam'], settings: CSV2 },
  { title: 'a file cut before the value of a row',                      body: '1,evil.example\n2', rows: ['evil.example', '!2'], settings: CSV2 },
  { title: 'a row with more columns than the others',                   body: '1,evil.example\n2,bad.example,3,4,5\n', rows: ['evil.example', 'bad.example'], settings: CSV2 },
  { title: 'an empty value is given, to be rejected by name',           body: '1,evil.example\n2,,x\n', rows: ['evil.example', ''], settings: CSV2 },
  { title: 'ten thousand columns',                                      body: `${'x,'.repeat(10_000)}\n1,evil.example\n`, rows: ['x', 'evil.example'], settings: CSV2 },
  { title: 'a title line over a list of hashes',                        body: 'Feb-19\na1b2c3d4e5f60718293a4b5c6d7e8f90\nb1b2c3d4e5f60718293a4b5c6d7e8f91\n', rows: ['a1b2c3d4e5f60718293a4b5c6d7e8f90', 'b1b2c3d4e5f60718293a4b5c6d7e8f91'] },
  // JSON documents
  { title: 'an array that is cut off',                    format: 'JSON', body: '[{"v":"a.example"},{"v":"b.exa', rows: ['a.example'], settings: ARRAY, fails: /ends in the middle/ },
  { title: 'an array that is cut off between records',    format: 'JSON', body: '[{"v":"a.example"},', rows: ['a.example'], settings: ARRAY, fails: /ends in the middle/ },
  { title: 'a record that is not JSON',                   format: 'JSON', body: '[{"v":"a.example"},{v:"b.example"},{"v":"c.example"}]', rows: ['a.example'], settings: ARRAY, fails: /broken at line 1/ },
  { title: 'two commas',                                  format: 'JSON', body: '[{"v":"a.example"},,{"v":"b.example"}]', rows: ['a.example'], settings: ARRAY, fails: /a value was expected/ },
  { title: 'a comma before the end',                      format: 'JSON', body: '[{"v":"a.example"},]', rows: ['a.example'], settings: ARRAY, fails: /a value was expected/ },
  { title: 'a missing comma',                             format: 'JSON', body: '[{"v":"a.example"} {"v":"b.example"}]', rows: ['a.example'], settings: ARRAY, fails: /comma/ },
  { title: 'brackets that do not match',                  format: 'JSON', body: '[{"v":["a.example"}},{"v":"b.example"}]', rows: [], settings: ARRAY, fails: /broken/ },
  { title: 'text behind the end',                         format: 'JSON', body: '[{"v":"a.example"}] trailing', rows: ['a.example'], settings: ARRAY, fails: /follows the end/ },
  { title: 'a raw line break inside a text',              format: 'JSON', body: '[{"v":"a.example"},{"v":"b\n.example"}]', rows: ['a.example'], settings: ARRAY, fails: /broken/ },
  { title: 'a member name that is not quoted',            format: 'JSON', body: '{"data":[{"v":"a.example"}],x:1}', rows: ['a.example'], settings: { items: 'data.*', value: 'v' }, fails: /member name/ },
  { title: 'a path that leads nowhere',                   format: 'JSON', body: '{"data":[{"v":"a.example"}]}', rows: [], settings: { items: 'records.*', value: 'v', mode: 'array' }, fails: /nothing at "records/ },
  { title: 'an object where an array was said to be',     format: 'JSON', body: '{"data":[]}', rows: [], settings: ARRAY, fails: /in an object, not in an array/ },
  { title: 'records as null',                             format: 'JSON', body: '{"data":null}', rows: [], settings: { items: 'data.*', value: 'v', mode: 'array' } },
  { title: 'a record nested 200 000 levels deep is one problem', format: 'JSON', body: `[{"v":"a.example"},${'['.repeat(200_000)}${']'.repeat(200_000)},{"v":"b.example"}]`, rows: ['a.example', '!1', 'b.example'].sort(), settings: ARRAY },
  { title: 'a document of nothing but opening brackets',  format: 'JSON', body: '['.repeat(300_000), rows: [], settings: ARRAY, fails: /ends in the middle/ },
  { title: 'a record larger than 1 MiB is one problem',   format: 'JSON', body: `[{"v":"a.example"},{"v":"${'x'.repeat(1_100_000)}"},{"v":"b.example"}]`, rows: ['a.example', '!1', 'b.example'].sort(), settings: ARRAY },
  { title: 'a member name that never ends',               format: 'JSON', body: `{"${'k'.repeat(10_000)}`, rows: [], settings: { mode: 'object_values', value: 'v' }, fails: /never ends/ },
  { title: 'records of other kinds among the records',    format: 'JSON', body: '[{"v":"a.example"},null,7,"x",[],{"v":null},{"v":{}},{"v":"b.example"}]', rows: ['a.example', 'b.example'], settings: ARRAY },
  { title: 'the same member twice: the last one counts',  format: 'JSON', body: '[{"v":"a.example","v":"b.example"}]', rows: ['b.example'], settings: ARRAY },
  { title: 'NaN is not JSON',                             format: 'JSON', body: '[{"v":NaN}]', rows: [], settings: ARRAY, fails: /broken/ },
  // NDJSON
  { title: 'one bad line is one problem',                 format: 'JSON', body: '{"v":"a.example"}\n{"v":}\n{"v":"b.example"}\n', rows: ['!2', 'a.example', 'b.example'], settings: NDJSON },
  { title: 'an NDJSON cut in its last line',              format: 'JSON', body: '{"v":"a.example"}\n{"v":"b.exa', rows: ['!2', 'a.example'], settings: NDJSON },
  { title: 'two records on one line',                     format: 'JSON', body: '{"v":"a.example"}{"v":"b.example"}\n{"v":"c.example"}\n', rows: ['!1', 'c.example'], settings: NDJSON },
  { title: 'a line nested too deep',                      format: 'JSON', body: `{"v":"a.example"}\n{"v":${'['.repeat(100)}${']'.repeat(100)}}\n`, rows: ['!2', 'a.example'], settings: NDJSON },
  { title: 'a line larger than 1 MiB',                    format: 'JSON', body: `{"v":"a.example"}\n{"v":"${'x'.repeat(1_100_000)}"}\n{"v":"b.example"}\n`, rows: ['!2', 'a.example', 'b.example'], settings: NDJSON },
  { title: 'a metadata line is no problem',               format: 'JSON', body: '{"v":"a.example"}\n{"type":"metadata"}\n', rows: ['a.example'], settings: NDJSON },
]

test('there are at least 68 cases', () => expect(CASES.length).toBeGreaterThanOrEqual(68))

describe('malformed feeds', () => {
  test.each(CASES)('$title', async ({ format = 'CSV', body, settings, rows, fails }) => {
    // A byte at a time only where that does not take a million steps.
    const sizes = Buffer.byteLength(body) > 100_000 ? [6_997, 65_536] : [1, 7, 65_536]
    const readings = await Promise.all(sizes.map((chunkBytes) => readWhole(body, format, settings, chunkBytes)))
    for (const reading of readings) {
      const short = inShort(reading.rows)
      // Problems of JSON may come before rows that detection still holds back.
      expect(format === 'JSON' ? short.toSorted() : short).toEqual(format === 'JSON' ? rows.toSorted() : rows)
      expect(reading.rows).toEqual(readings[0]?.rows)
      expect(reading.summary).toEqual(readings[0]?.summary)
      if (fails === undefined) expect(reading.error).toBeUndefined()
      else {
        expect(reading.error).toBeInstanceOf(FeedFormatError)
        expect(reading.error).toMatchObject({ code: 'feed_malformed', message: expect.stringMatching(fails) })
      }
      for (const { problem } of reading.rows) if (problem !== undefined) expect(problem.code).toBe('malformed_row')
    }
  })
})
