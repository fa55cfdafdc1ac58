import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/temporary-store.ts'
import { findLastCopy, recordCopy } from '../last-copy.ts'

const clock = () => new Date('2026-11-30T12:00:00Z')
const older = { id: '20261129T200000Z-01234567', takenAt: '2026-11-29T20:00:00.000Z' }
const newer = { id: '20261130T080000Z-89abcdef', takenAt: '2026-11-30T08:00:00.000Z' }

test('the newest copied backup is recorded, also when an older one is copied later', () => {
  const shelf = join(temporaryFolder(), 'shelf')
  expect(findLastCopy(shelf)).toBeUndefined()
  recordCopy(shelf, older, 'restic', clock)
  recordCopy(shelf, newer, 'rclone', clock)
  recordCopy(shelf, older, 'restic', clock)
  const { id: backup, takenAt } = newer
  expect(findLastCopy(shelf)).toEqual({ backup, takenAt, copiedAt: '2026-11-30T12:00:00.000Z', by: 'rclone' })
  expect(readdirSync(shelf)).toEqual(['last-copy.json'])
})

test('a record of the future, made while the clock was ahead, is replaced', () => {
  const shelf = temporaryFolder()
  recordCopy(shelf, { id: '20310101T000000Z-01234567', takenAt: '2031-01-01T00:00:00.000Z' }, 'restic', clock)
  recordCopy(shelf, newer, 'restic', clock)
  expect(findLastCopy(shelf)?.backup).toBe(newer.id)
})

test.each(['s3:https://key:secret@host/bucket', 'two words', '', '-x', 'x'.repeat(33)])(
  'what copied is one word, not "%s", so that no secret is stored',
  (by) => {
    const shelf = temporaryFolder()
    expect(() => recordCopy(shelf, newer, by, clock)).toThrow('one word')
    expect(readdirSync(shelf)).toEqual([])
  },
)

test.each(['', '{', 'null', '{"backup":"x"}'])('a damaged record (%s) counts as none, and is replaced', (text) => {
  const shelf = temporaryFolder()
  writeFileSync(join(shelf, 'last-copy.json'), text)
  expect(findLastCopy(shelf)).toBeUndefined()
  recordCopy(shelf, newer, 'restic', clock)
  expect(JSON.parse(readFileSync(join(shelf, 'last-copy.json'), 'utf8')).backup).toBe(newer.id)
})
