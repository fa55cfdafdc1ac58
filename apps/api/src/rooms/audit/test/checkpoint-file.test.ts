import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { temporaryFolder } from '../../../../test/temporary-store.ts'
import { sha256 } from '../../../lib/hashing.ts'
import {
  appendCheckpointLines,
  bytesThrough,
  checkpointFile,
  cutHalfLine,
  readCheckpointLines,
} from '../checkpoints/checkpoint-file.ts'

async function readLines(file: string) {
  const lines = []
  for await (const line of readCheckpointLines(file)) lines.push(line)
  return lines
}

test('lines are read across the pieces of a long file, with their numbers', async ({ expect }) => {
  const file = checkpointFile(temporaryFolder())
  expect(await readLines(file)).toEqual([])
  const texts = Array.from({ length: 1_000 }, (_, index) => `line ${index} ${'é'.repeat(index % 150)}`)
  await appendCheckpointLines(file, texts)
  expect((await readLines(file)).map(({ text }) => text)).toEqual(texts)
  appendFileSync(file, `${'x'.repeat(200_000)}\nend`)
  expect((await readLines(file)).slice(1_000)).toEqual([
    { number: 1_001, text: undefined, isWhole: true },
    { number: 1_002, text: 'end', isWhole: false },
  ])
})

test('two concurrent appends never mix their lines', async ({ expect }) => {
  const file = checkpointFile(temporaryFolder())
  const of = (name: string) => Array.from({ length: 200 }, () => name.repeat(300))
  await Promise.all([appendCheckpointLines(file, of('a')), appendCheckpointLines(file, of('b'))])
  const lines = (await readLines(file)).map(({ text }) => text)
  expect(lines).toHaveLength(400)
  expect(new Set(lines)).toEqual(new Set(['a'.repeat(300), 'b'.repeat(300)]))
})

test('a tail without any line end is closed, not cut', async ({ expect }) => {
  const file = checkpointFile(temporaryFolder())
  writeFileSync(file, 'x'.repeat(10_000))
  await cutHalfLine(file)
  expect(readFileSync(file, 'utf8')).toBe(`${'x'.repeat(10_000)}\n`)
})

test.for([
  ['the first line of a file', ''],
  ['a line far down in a long file', 'x'.repeat(99).concat('\n').repeat(100)],
])('an incomplete %s is cut off, and nothing else', async ([, whole], { expect }) => {
  const file = checkpointFile(temporaryFolder())
  writeFileSync(file, `${whole}half`)
  expect(await cutHalfLine(file)).toBe('half'.length)
  expect(readFileSync(file, 'utf8')).toBe(whole)
})

test('reading from a byte offset begins there, in the middle of a line', async ({ expect }) => {
  const file = checkpointFile(temporaryFolder())
  await appendCheckpointLines(file, ['first', 'second', 'third'])
  const texts = []
  for await (const { text } of readCheckpointLines(file, 8)) texts.push(text)
  expect(texts).toEqual(['cond', 'third'])
})

test('a copy of the store includes the lines that it knows, and those up to the one that it records', async ({
  expect,
}) => {
  const file = checkpointFile(temporaryFolder())
  await appendCheckpointLines(file, ['first', 'second', 'third'])
  expect(await bytesThrough(file, undefined, 6)).toBe('first\n'.length)
  expect(await bytesThrough(file, sha256('second'), 6)).toBe('first\nsecond\n'.length)
  expect(await bytesThrough(file, sha256('first'), 13)).toBe('first\nsecond\n'.length)
  expect(await bytesThrough(file, sha256('unknown'), 13)).toBe('first\nsecond\n'.length)
})
