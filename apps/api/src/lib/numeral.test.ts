import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { counted, numeral } from './numeral.ts'

test('numbers of sentences have one notation', () => {
  expect([7, 1_830, -1_830, 1_234_567, 20.5].map(numeral)).toEqual(['7', '1,830', '-1,830', '1,234,567', '20.5'])
})

test('no other module formats numbers or times for people', () => {
  const folder = new URL('..', import.meta.url)
  const others = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.startsWith('lib/numeral'))
  const formats = /\.toLocale(Date|Time)?String\(|Intl\.NumberFormat|Intl\.DateTimeFormat/
  const found = others.filter((file) => formats.test(readFileSync(new URL(file, folder), 'utf8')))
  // The schema of time zones asks the engine whether it knows one.
  expect(found).toEqual(['rooms/identity/identity.schema.ts'])
})

test('a number has its noun in one way', () => {
  expect([0, 1, 1_830].map((count) => counted(count, 'prospect waits', 'prospects wait'))).toEqual([
    '0 prospects wait',
    '1 prospect waits',
    '1,830 prospects wait',
  ])
  const folder = new URL('..', import.meta.url)
  const others = globSync('**/*.ts', { cwd: folder }).filter(
    (file) => !file.startsWith('lib/numeral') && !file.endsWith('.test.ts'),
  )
  const writes = /function counted\(\w+: number|noun}\$\{|=== 1 \? ['`][^'`]*\b1 /
  expect(others.filter((file) => writes.test(readFileSync(new URL(file, folder), 'utf8')))).toEqual([])
})
