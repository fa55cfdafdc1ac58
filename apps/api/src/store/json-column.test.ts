import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonColumn, readNumbers, readTexts } from './json-column.ts'

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
