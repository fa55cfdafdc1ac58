import fc from 'fast-check'
import { expect, test } from 'vitest'
import { examineHere } from '../test/examine-answer.ts'
import { type CitableItem, type SentPart, validateAnswer } from './validate-answer.rules.ts'

const item = (part: Partial<CitableItem & SentPart> = {}): CitableItem & SentPart => ({
  item: 'E1',
  evidenceId: 'e-1',
  hash: 'h-1',
  parts: ['The workshop – “Karoo Windpumps” – repairs 3 pumps a day.'],
  isCurrent: true,
  isStale: false,
  isContradicted: false,
  ...part,
})
const sent = (items = [item()]) => ({
  receipt: 'abcdefghij',
  input: JSON.stringify(items.map(({ parts }) => parts)),
  items,
})
const answer = (text: string, quotes: string[], of = 'E1') =>
  JSON.stringify({ receipt: 'abcdefghij', claims: [{ text, citations: [{ item: of, quotes }] }] })
const validated = (text: string, finishReason: string | null, to = sent()) =>
  validateAnswer(examineHere({ text, finishReason }, to), to.items)
const read = (text: string, to = sent()) => validated(text, 'stop', to)

test.each([
  ['word for word', 'repairs 3 pumps a day'],
  ['with other quotation marks and dashes', 'workshop - "karoo windpumps" - repairs'],
  ['with other spaces and case', 'REPAIRS  3\npumps'],
])('a quote %s is found', (_how, quote) => {
  expect(read(answer('It repairs 3 pumps a day.', [quote]))).toMatchObject({ kind: 'read', claims: [{}] })
})

test.each([
  ['invented', 'repairs 4 pumps a day'],
  ['stitched together', 'The workshop repairs 3 pumps'],
  ['too short', 'repairs'],
])('a quote that is %s is not found', (_how, quote) => {
  const result = read(answer('It repairs pumps.', [quote]))
  expect(result).toEqual({ kind: 'read', claims: [], dropped: new Map([['quote_not_found', 1]]) })
})

test('a whole value may be short', () => {
  const short = sent([item({ parts: ['Pumps'] })])
  expect(read(answer('It sells pumps.', ['pumps']), short)).toMatchObject({ claims: [{ text: 'It sells pumps.' }] })
})

test('whatever a provider answers, each stored claim is fully cited and contains no value that was not sent', () => {
  const quotes = fc.constantFrom('repairs 3 pumps a day', 'Karoo Windpumps', 'never written anywhere', '', 'pumps')
  const texts = fc.constantFrom(
    'It repairs pumps.',
    'Call 0821234567',
    'See evil.example',
    'It has 3 pumps.',
    'Ask a@b.co.za',
  )
  const claim = fc.record({
    text: fc.oneof(texts, fc.string({ maxLength: 40 })),
    citations: fc.array(
      fc.record({ item: fc.constantFrom('E1', 'E2', 'E9'), quotes: fc.array(quotes, { maxLength: 5 }) }),
      { maxLength: 3 },
    ),
  })
  const body = fc.record({ receipt: fc.constantFrom('abcdefghij', 'other'), claims: fc.array(claim, { maxLength: 4 }) })
  const anything = fc.oneof(fc.jsonValue(), body, fc.string())
  const to = sent([item(), item({ item: 'E2', evidenceId: 'e-2', isStale: true })])
  fc.assert(
    fc.property(anything, fc.constantFrom('stop', 'length', null), (value, finishReason) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const result = validated(text, finishReason, to)
      if (result.kind === 'rejected') return
      expect(finishReason).toBe('stop')
      for (const { text: claimed, citations } of result.claims) {
        expect(claimed).not.toMatch(/0821234567|evil\.example|a@b\.co\.za/)
        expect(citations.length).toBeGreaterThan(0)
        for (const { evidenceId, hash, quotes: found } of citations) {
          expect([evidenceId, hash]).toEqual(['e-1', 'h-1'])
          expect(found.length).toBeGreaterThan(0)
          for (const quote of found) expect(to.items[0]?.parts[0]?.toLowerCase()).toContain(quote.toLowerCase())
        }
      }
    }),
  )
})
