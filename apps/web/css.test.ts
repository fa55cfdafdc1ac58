import postcss from 'postcss'
import { expect, test } from 'vitest'
import { css } from './css.ts'

const built = (source: string) => postcss(css.postcss.plugins).process(source, { from: undefined }).css

test('a named media query becomes the query of media.ts, also in a combination', () => {
  expect(built('@media (--narrow) { a { color: red } }')).toContain('@media (max-width: 40em)')
  expect(built('@media print and (--touch) { a { color: red } }')).toContain('@media print and (pointer: coarse)')
})

test('an unknown media query name is an error', () => {
  expect(() => built('@media (--narow) { a { color: red } }')).toThrow('no query of this name: narow')
})

test('variables of unused palettes are removed, and the others stay', () => {
  const sheet = ':root { --mantine-color-teal-6: #12b886; --mantine-color-gray-6: #868e96 }'
  expect(built(sheet)).toContain('gray')
  expect(built(sheet)).not.toContain('teal')
})
