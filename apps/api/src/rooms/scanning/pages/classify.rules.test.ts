import { describe, expect, test } from 'vitest'
import type { ScanReason } from '../reasons.ts'
import { classOf, suspectedOf } from './classify.rules.ts'
import { nothingKnown, type PageFacts } from './page-facts.ts'

const facts: PageFacts = {
  status: 200,
  mediaType: 'text/html',
  charset: { name: 'utf-8', from: 'header', isDoubtful: false },
  bytes: { wire: 900, decoded: 800 },
  sha256: 'a'.repeat(64),
  title: null,
  counts: { text: 500, links: 3, forms: 0, scripts: 2 },
  repeats: nothingKnown,
  words: [],
}
const counts = (text: number, scripts: number) => ({ counts: { text, links: 0, forms: 0, scripts } })

describe('classes', () => {
  test.each<[string, Partial<PageFacts> | null, ScanReason[]]>([
    ['content', {}, []],
    ['content', { status: null }, []],
    ['content', counts(20, 0), []],
    ['content', { ...counts(20, 0), mediaType: null }, ['decoded_limit']],
    ['empty', counts(0, 0), []],
    ['unknown', counts(0, 0), ['decoded_limit']],
    ['needs_script', counts(0, 1), []],
    ['needs_script', counts(40, 9), []],
    ['error', { status: 404 }, []],
    ['error', { status: 503 }, []],
    ['not_html', { mediaType: 'application/pdf', counts: null }, []],
    ['unreadable', { counts: null }, ['parse_timeout']],
    ['unreadable', null, ['encoding_unsupported']],
    ['unknown', null, ['dns_failed']],
    ['unknown', null, []],
  ])('%s', (name, changes, reasons) =>
    expect(classOf(changes === null ? null : { ...facts, ...changes }, reasons)).toBe(name),
  )
})

test('a status and the words of a page make it suspected, and nothing more', () => {
  expect(suspectedOf({ ...facts, status: 403 })).toEqual(['wall'])
  expect(suspectedOf({ ...facts, status: 410, words: ['parked'] })).toEqual(['parked', 'not_found'])
  expect([suspectedOf(facts), suspectedOf(null)]).toEqual([[], []])
})
