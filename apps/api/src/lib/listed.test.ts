import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listed } from './listed.ts'

test('words of a sentence are joined in one way', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((words) => listed(words))).toEqual([
    '',
    'a',
    'a and b',
    'a, b, and c',
  ])
  expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b, or c')
})

test('no other module joins words of a sentence', () => {
  const folder = new URL('..', import.meta.url)
  const others = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.startsWith('lib/listed'))
  const joins = /Intl\.ListFormat|slice\(0, -1\)\.join\(', '\)/
  expect(others.filter((file) => joins.test(readFileSync(new URL(file, folder), 'utf8')))).toEqual([])
})
