import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { day, instant, line, text } from './text.ts'

describe('text', () => {
  test('must contain a visible character, in any script', () => {
    const blank = [
      ' ',
      '\n',
      '\u00a0',
      '\u200b',
      '\u2060\u200d',
      '\ufeff',
      '\u00ad',
      '\u3164',
      '\u2800',
      '\ufe0f',
      '\u202e \u202c',
    ]
    for (const value of blank)
      expect([value, text(10).safeParse(value).error?.issues]).toMatchObject([value, [{ message: 'Enter some text.' }]])
    for (const value of ['x', '0', '.', '商店', 'ร้าน', '🏪', '👩\u200d🌾', 'e\u0301', '\u200bx'])
      expect([value, text(10).safeParse(value).data]).toEqual([value, value])
  })

  test('is stored exactly as typed, and may contain no control characters', () => {
    expect(text(10).safeParse(' a\tb\r\n').data).toBe(' a\tb\r\n')
    for (const value of ['a\u0000', 'a\u001b[0m', 'a\u0085', 'a\u009f'])
      expect(text(10).safeParse(value).success).toBe(false)
    for (const value of ['a\tb', 'a\nb', 'a\rb']) expect(line(10).safeParse(value).success).toBe(false)
  })
})

test('a time must exist and have an offset, and is stored in UTC', () => {
  expect(instant.safeParse('2024-02-29T23:30:00+02:00').data).toBe('2024-02-29T21:30:00.000Z')
  const none = [
    '2026-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T08:00:60Z',
    '2026-11-21T08:00:00',
    '2026-11-21T08:00:00+24:00',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+275760-09-13T00:00:00Z',
  ]
  for (const value of none) expect([value, instant.safeParse(value).success]).toEqual([value, false])
})

test('a day or time before 1900 is refused with a sentence', () => {
  const refusal = 'Enter a year of 1900 or later.'
  const messageOf = (value: string) =>
    (value.includes('T') ? instant : day).safeParse(value).error?.issues.map(({ message }) => message)
  for (const value of ['0026-11-28', '0000-01-01', '1899-12-31', '0026-11-28T08:30:00Z', '1899-12-31T09:59:59Z'])
    expect([value, messageOf(value)]).toEqual([value, [refusal]])
  // 1 January 1900 begins on 31 December in UTC where clocks are ahead of it.
  for (const value of ['1900-01-01', '1900-01-01T00:00:00+14:00', '1899-12-31T22:30:00Z', '2026-11-28'])
    expect([value, messageOf(value)]).toEqual([value, undefined])
  expect(messageOf('28-11-2026')).toEqual(['Enter a day such as 2026-11-21.'])
})

test('every other schema of a day or time is built from these', () => {
  const sources = fileURLToPath(new URL('..', import.meta.url))
  // The manifest of a backup, the record of its newest copy and the heads of chains are written by the program, not by a person.
  const written = [join('backup', 'manifest.ts'), join('backup', 'last-copy.ts'), join('heads', 'head.ts')]
  const exceptions = [join('http', 'text.ts'), ...written]
  const found = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && /\.iso\b/.test(readFileSync(join(sources, file), 'utf8')),
  )
  expect(found.filter((file) => !exceptions.some((one) => file.endsWith(one)) && !file.endsWith('.test.ts'))).toEqual(
    [],
  )
  expect(exceptions.filter((one) => !found.some((file) => file.endsWith(one)))).toEqual([])
})
