import { describe, expect, test } from 'vitest'
import type { ScanReason } from '../reasons.ts'
import { classOf, judgePage, suspectedOf } from './classify.rules.ts'
import { nothingKnown, type PageFacts, type Repeats } from './page-facts.ts'

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

describe('a fact that was not found is missing only if the text was read to its end', () => {
  const repeats: Repeats = { ...nothingKnown, name: 'no', phone: 'yes' }
  const repeatsOf = (changes: Partial<PageFacts>, reasons: ScanReason[]) =>
    judgePage({ ...facts, repeats, ...changes }, reasons).facts?.repeats

  test.each<[string, Partial<PageFacts>, ScanReason[]]>([
    ['shows text', {}, []],
    [
      'was supplied',
      { status: null, mediaType: 'text/plain', counts: { text: 500, links: 0, forms: 0, scripts: 0 } },
      [],
    ],
    ['has too many links', {}, ['link_limit', 'other_host']],
  ])('missing: a page that %s', (_page, changes, reasons) => expect(repeatsOf(changes, reasons)).toEqual(repeats))

  test.each<[string, Partial<PageFacts>, ScanReason[]]>([
    ['needs scripts', counts(0, 3), []],
    ['shows a line beside scripts', counts(40, 3), []],
    ['shows nothing', counts(0, 0), []],
    ['shows a line beside pictures or frames', counts(40, 0), []],
    ['was not parsed', { counts: null }, ['parse_timeout']],
    ['is larger than the bytes that were read', {}, ['decoded_limit']],
    ['was cut by the transport', {}, ['size_limit']],
    ['took too long to arrive', {}, ['time_limit']],
    ['has too many nodes', {}, ['node_limit']],
    ['is nested too deeply', {}, ['depth_limit']],
    ['has doubtful characters', {}, ['charset_doubtful']],
    ['is an error', { status: 503 }, []],
    ['is behind a login', { words: ['wall'] }, []],
    ['denies access', { status: 403 }, []],
  ])('not known: a page that %s', (_page, changes, reasons) =>
    expect(repeatsOf(changes, reasons)).toEqual({ ...repeats, name: 'not_known' }),
  )
})
