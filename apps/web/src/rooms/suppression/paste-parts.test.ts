import type { SuppressionBatch, SuppressionPreview } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { addParts, partsOf, previewParts } from './paste-parts.ts'

type PreviewOutcome = SuppressionPreview['items'][number]['outcome']
const lineOf = (text: string, at: number) => ({
  line: at + 1,
  text,
  kind: 'email' as const,
  normalized: text,
  ignored: null,
  code: null,
  message: null,
})
const previewed = (lines: string[], outcomeOf: (text: string) => PreviewOutcome): SuppressionPreview => ({
  items: lines.map((text, at) => ({ ...lineOf(text, at), outcome: outcomeOf(text), records: 1 })),
  records: lines.filter((text) => outcomeOf(text) === 'would_add').length,
})
const addedOf = (lines: string[]): SuppressionBatch => ({
  items: lines.map((text, at) => ({
    ...lineOf(text, at),
    outcome: text === '' ? 'empty' : 'added',
    suppressionId: null,
    marked: 1,
  })),
  added: lines.filter((text) => text !== '').length,
  marked: 2,
})
const linesOf = (count: number) => Array.from({ length: count }, (_, at) => `stop${at}@desk.example`)

test('lines are sent in parts of 1,000, in order', () => {
  const lines = linesOf(2_500)
  const parts = partsOf(lines)
  expect(parts.map(({ before, lines: ofPart }) => [before, ofPart.length])).toEqual([
    [0, 1_000],
    [1_000, 1_000],
    [2_000, 500],
  ])
  expect(parts.flatMap((part) => part.lines)).toEqual(lines)
})

test('the preview joins the parts with their line numbers, and finds a value of an earlier part', async () => {
  const lines = [...linesOf(1_000), 'stop3@desk.example', 'new@desk.example']
  const seen: number[] = []
  const preview = await previewParts(
    lines,
    async (part) => previewed(part, () => 'would_add'),
    (before) => seen.push(before),
  )
  expect(seen).toEqual([0, 1_000])
  expect(preview.items.map(({ line }) => line)).toEqual(lines.map((_, at) => at + 1))
  expect(preview.items[1_000]).toMatchObject({ outcome: 'repeated', message: 'The same as line 4.', records: null })
  expect(preview.items[1_001]).toMatchObject({ outcome: 'would_add', line: 1_002 })
  expect(preview.records).toBe(1_002)
})

test('after a failure, the next attempt sends the failed part and those after it, and returns the result of all', async () => {
  const lines = linesOf(3_000)
  const preview = previewed(lines, () => 'would_add')
  const finished = new Map<number, SuppressionBatch>()
  const sent: string[] = []
  let isBroken = true
  const add = async (part: string[]) => {
    sent.push(part[0] ?? '')
    if (isBroken && part[0] === lines[1_000]) throw new Error('No connection')
    return addedOf(part)
  }
  const wanted = { lines, preview, finished }
  const seen: number[] = []
  await expect(addParts(wanted, add, (before) => seen.push(before))).rejects.toThrow('No connection')
  expect(seen).toEqual([0, 1_000])
  expect([...finished.keys()]).toEqual([0])
  isBroken = false
  const result = await addParts(wanted, add, () => {})
  expect(sent).toEqual([lines[0], lines[1_000], lines[1_000], lines[2_000]])
  expect([result.added, result.marked]).toEqual([3_000, 6])
  expect(result.items.map(({ line }) => line)).toEqual(lines.map((_, at) => at + 1))
})

test('a part without a new entry is not sent, and neither is a repeated line', async () => {
  const lines = [...linesOf(1_000), 'stop3@desk.example', 'new@desk.example']
  const preview = await previewParts(
    lines,
    async (part) => previewed(part, (text) => (text.startsWith('stop') ? 'stands_already' : 'would_add')),
    () => {},
  )
  const sent: string[][] = []
  const add = async (part: string[]) => {
    sent.push(part)
    return addedOf(part)
  }
  const result = await addParts({ lines, preview, finished: new Map() }, add, () => {})
  expect(sent).toEqual([['', 'new@desk.example']])
  expect(result.added).toBe(1)
  expect(result.items.slice(998)).toMatchObject([
    { line: 999, outcome: 'stands_already' },
    { line: 1_000, outcome: 'stands_already' },
    { line: 1_001, outcome: 'repeated' },
    { line: 1_002, outcome: 'added' },
  ])
})
