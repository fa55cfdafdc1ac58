import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonColumn, readNumbers, readObject, readTexts } from './json-column.ts'

test('a column is read by its schema, and what the schema rejects is an error', () => {
  const read = jsonColumn(z.array(z.object({ id: z.string() })))
  expect(read('[{"id":"a"}]')).toEqual([{ id: 'a' }])
  expect(() => read('[{"id":1}]')).toThrow(z.ZodError)
  expect(() => read('no JSON')).toThrow(SyntaxError)
})

test('texts and numbers are read without a schema library', () => {
  expect(readTexts('["a","b"]')).toEqual(['a', 'b'])
  expect(() => readTexts('["a",1]')).toThrow(TypeError)
  expect(() => readTexts('{}')).toThrow(TypeError)
  expect(readNumbers('{"a":1}')).toEqual(new Map([['a', 1]]))
  expect(() => readNumbers('{"a":"1"}')).toThrow(TypeError)
})

test('objects are read without a schema library', () => {
  expect(readObject('{"a":[1]}')).toEqual({ a: [1] })
  for (const text of ['[]', 'null', '1', '"a"']) expect(() => readObject(text)).toThrow(TypeError)
})

/** Calls of JSON.parse whose result a schema validates, or whose result is unknown. */
const checked = /(?:\b(?:p|safeP)arse\(|: unknown = )JSON\.parse\(/g

/** All other calls in the program, by file: their number, and what becomes of the result. */
const others: Record<string, [calls: number, result: string]> = {
  'acceptance/acceptance-client.ts': [1, 'unknown: the body of an answer'],
  'http/json-body.ts': [3, 'unknown: a body, validated by the schema of its route; a JSON text, which is a string'],
  'http/validation.ts': [1, 'validated in the next line'],
  'rooms/assist/suggestions/read-answer.rules.ts': [1, 'unknown: the answer of a model'],
  'rooms/prospect-list/conditions/query-conditions.ts': [1, 'unknown: a parameter of a query'],
  'rooms/contacts/reading/json-ld.rules.ts': [1, 'unknown: a block of a page'],
  'rooms/domains/erase-domains.ts': [1, 'unknown: the content of an audit event'],
  'rooms/identity/company/jwks-file.ts': [1, 'unknown: the key file of the operator, validated by the caller'],
  'rooms/identity/factors/passkeys.ts': [2, 'unknown: the client data; a copy of a value of this program'],
  'rooms/jobs/queue/job-writes.ts': [
    1,
    'generic: the result of the same step of a job, stored by the code that reads it',
  ],
  'store/change/idempotency.ts': [1, 'generic: the result of the same request, stored by the code that reads it'],
}

test('parsed JSON is validated by a schema or unknown, and its type is never claimed by a cast', () => {
  const source = join(import.meta.dirname, '..')
  const texts = globSync('**/*.ts', { cwd: source })
    .filter((file) => !/\.test\.ts$|(?:^|\/)test\//.test(file))
    .map((file) => [file, readFileSync(join(source, file), 'utf8').replace(/^ *(?:\/\/|\*).*$/gm, '')] as const)
  const calls = texts.map(([file, text]) => [file, count(text, /JSON\.parse\(/g) - count(text, checked)] as const)
  expect(Object.fromEntries(calls.filter(([, number]) => number > 0))).toEqual(
    Object.fromEntries(Object.entries(others).map(([file, [number]]) => [file, number])),
  )
  expect(texts.filter(([, text]) => cast.test(text)).map(([file]) => file)).toEqual([])
})

/** A cast of parsed JSON, also in brackets: `JSON.parse(text) as Rows`. */
const cast = /JSON\.parse\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)* as (?!const\b)/

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
