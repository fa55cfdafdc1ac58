import { describe, expect, test } from 'vitest'
import {
  defaultPreferences,
  moveColumn,
  placeColumn,
  placeWords,
  readPreferences,
  resizeColumn,
  toggleColumn,
  togglePinned,
} from './column-preferences.ts'

const columns = [
  { id: 'name', width: 260, isFixed: true, isPinned: true },
  { id: 'state', width: 140 },
  { id: 'city', width: 140 },
  { id: 'industry', width: 140, isOptional: true },
]
const start = defaultPreferences(columns)

describe('what was kept', () => {
  test('nothing, or nonsense, gives the defaults', () => {
    for (const kept of [null, 'x', 7, [], { order: 'name' }]) expect(readPreferences(kept, columns)).toEqual(start)
  })

  test('comes back as it was', () => {
    const mine = resizeColumn(moveColumn(toggleColumn(start, 'industry'), 'city', -1), 'state', 200)
    expect(readPreferences(JSON.parse(JSON.stringify(mine)), columns)).toEqual(mine)
  })

  test('a column that is no more is dropped, and a new one stands where the table has it', () => {
    const kept = { order: ['city', 'gone', 'name'], hidden: ['gone'], pinned: ['gone'], widths: { gone: 10 } }
    expect(readPreferences(kept, columns)).toEqual({
      order: ['city', 'industry', 'name', 'state'],
      hidden: ['industry'],
      pinned: [],
      widths: {},
      density: 'comfortable',
    })
  })

  test('the column that names the row cannot be hidden, and no width is absurd', () => {
    const kept = { ...start, hidden: ['name', 'city'], widths: { state: 9_000, city: Number.NaN } }
    const read = readPreferences(kept, columns)
    expect(read.hidden).toEqual(['city'])
    expect(read.widths).toEqual({ state: 640 })
  })
})

describe('moving', () => {
  test('goes one place among what is shown', () => {
    expect(moveColumn(start, 'state', 1).order).toEqual(['name', 'city', 'state', 'industry'])
    expect(moveColumn(start, 'city', -1).order).toEqual(['name', 'city', 'state', 'industry'])
  })

  test('at the end, and against what is pinned, it stays', () => {
    expect(moveColumn(start, 'city', 1)).toEqual(start)
    expect(moveColumn(start, 'state', -1)).toEqual(start)
  })

  test('one that is not shown goes one place too, and it is told where each stands', () => {
    const industry = { id: 'industry', label: 'Industry' }
    const moved = moveColumn(start, 'industry', -1)
    expect(moved.order).toEqual(['name', 'state', 'industry', 'city'])
    expect(moveColumn(start, 'industry', 1)).toEqual(start)
    expect(placeWords(moved, industry)).toBe('Industry: column 3 of 4, not shown')
    expect(placeWords(moved, { id: 'city', label: 'City' })).toBe('City: column 3 of 3')
  })

  test('dropped on a pinned column it is pinned, dropped on another it is not', () => {
    const pinned = placeColumn(start, 'city', 'name', 'before')
    expect(pinned.pinned).toEqual(['city', 'name'])
    expect(placeColumn(pinned, 'city', 'state', 'after').pinned).toEqual(['name'])
  })
})

test('showing, hiding and pinning go back and forth', () => {
  expect(toggleColumn(toggleColumn(start, 'city'), 'city')).toEqual(start)
  expect(togglePinned(start, 'state').pinned).toEqual(['name', 'state'])
  expect(togglePinned(togglePinned(start, 'state'), 'state')).toEqual(start)
})
