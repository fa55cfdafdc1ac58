import { describe, expect, test } from 'vitest'
import { instant, line, text } from './text.ts'

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
