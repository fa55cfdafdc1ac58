import type { CsvRow } from '@prospect/api-client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNextRow } from './next-row.ts'
import { countMarks, type FileWork, markAt, type RowMark, rowsMarked, withMark, withWork } from './row-marks.ts'
import { workWords } from './work-words.ts'

type Kind = 'open' | 'known' | 'blocked' | 'optOut' | 'recorded'
const kinds: Kind[] = ['open', 'open', 'open', 'known', 'blocked', 'optOut', 'recorded']
const work = (marks = ''): FileWork => ({ sha256: 'a', marks, row: 0, tags: [] })

const rowOf = (kind: Kind, place: number): CsvRow => ({
  row: place + 1,
  line: place + 2,
  cells: [],
  cut: [],
  problems: [],
  notes: [],
  duplicates: [],
  matches: kind === 'known' ? [{ column: 1, kind: 'email', businessId: 'b', name: 'Known', doNotContact: false }] : [],
  values: [],
  suppressed: [],
  said: kind === 'optOut' ? 'yes' : null,
  doNotContact: kind === 'blocked' || kind === 'optOut',
})

test('marks equal a map of rows, whatever the order in which they are set and cleared', () => {
  const marks = fc.constantFrom<RowMark | null>('done', 'known', 'blocked', 'optOut', 'skipped', null)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), marks)), (steps) => {
      const model = new Map<number, RowMark | null>()
      let text = ''
      for (const [row, mark] of steps) {
        model.set(row, mark)
        text = withMark(text, row, mark)
      }
      for (let row = 1; row <= 61; row++) expect(markAt(text, row)).toBe(model.get(row) ?? null)
      const skipped = [...model].filter(([, mark]) => mark === 'skipped').map(([row]) => row)
      expect(rowsMarked(text, 'skipped')).toEqual(skipped.toSorted((a, b) => a - b))
      expect(countMarks(text).skipped).toBe(skipped.length)
    }),
  )
})

test('working through a file visits each open row once, from any row, and marks all others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...kinds), { maxLength: 90 }),
      fc.nat(100),
      fc.array(fc.constantFrom<RowMark>('done', 'skipped'), { minLength: 1, maxLength: 5 }),
      async (file, start, answers) => {
        const rows = file.map(rowOf)
        const read = async (after: number, limit: number) => rows.slice(after, after + limit)
        const isRecorded = ({ row }: CsvRow) => file[row - 1] === 'recorded'
        const visited: number[] = []
        let state = work()
        let after = Math.min(start, file.length)
        for (;;) {
          const found = await findNextRow(state, { after, rows: file.length, read, isRecorded })
          state = found.work
          if (found.row === null) break
          visited.push(found.row.row)
          after = found.row.row
          state = { ...state, marks: withMark(state.marks, after, answers[visited.length % answers.length] ?? 'done') }
          // A reload reads the marks from the storage again.
          state = JSON.parse(JSON.stringify(state))
        }
        const open = file.flatMap((kind, place) => (kind === 'open' ? [place + 1] : []))
        expect(visited.toSorted((a, b) => a - b)).toEqual(open)
        const counts = countMarks(state.marks)
        const isOf = (wanted: Kind) => file.filter((kind) => kind === wanted).length
        expect([counts.known, counts.blocked, counts.optOut]).toEqual([isOf('known'), isOf('blocked'), isOf('optOut')])
        expect(counts.done + counts.skipped).toBe(open.length + isOf('recorded'))
      },
    ),
  )
})

test('an unreadable end of a file ends the work, and the row in hand is opened again on the next visit', async () => {
  const rows = [rowOf('open', 0), rowOf('open', 1)]
  const read = async (after: number, limit: number) => rows.slice(after, after + limit)
  const options = { rows: 5, read, isRecorded: () => false }
  const first = await findNextRow(work('d'), { after: 0, ...options })
  expect([first.row?.row, first.work.row]).toEqual([2, 2])
  const again = await findNextRow(first.work, { after: first.work.row - 1, ...options })
  expect(again.row?.row).toBe(2)
  const ended = await findNextRow(work('dd'), { after: 2, ...options })
  expect(ended.row).toBeNull()
})

test('the five files used last are stored', () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'b'].reduce<FileWork[]>(
    (works, sha256) => withWork(works, { ...work(), sha256 }),
    [],
  )
  expect(all.map(({ sha256 }) => sha256)).toEqual(['b', 'f', 'e', 'd', 'c'])
})

test('the state of the work is one sentence without zeros', () => {
  expect(workWords('', 60)).toBe('0 of 60 done')
  expect(workWords('dddkbos-', 60)).toBe('3 of 60 done, 1 known, 2 do not contact, 1 skipped')
})
