import { expect, test } from 'vitest'
import { phoneText } from './format.ts'

test.each([
  ['+27696322336', '+27 69 632 2336'],
  ['+18474889988', '+1 847 488 9988'],
  ['+442071838750', '+44 207 183 8750'],
  ['+26461123456', '+264 6 112 3456'],
  ['+6491234567', '+64 9 123 4567'],
])('%s is grouped', (stored, shown) => {
  expect(phoneText(stored)).toBe(shown)
})

test('all digits are kept, and no other text changes', () => {
  for (const number of ['+27696322336', '+35312345678', '+390612345678', '+85212345678', '+491701234567'])
    expect(phoneText(number).replaceAll(' ', '')).toBe(number)
  for (const text of ['021 555 0101', 'Western Cape', '+27 69', '+1234', '']) expect(phoneText(text)).toBe(text)
})
