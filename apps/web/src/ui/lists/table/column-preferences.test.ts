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

describe('stored preferences', () => {
  test('missing or invalid ones give the defaults', () => {
    for (const kept of [null, 'x', 7, [], { order: 'name' }]) expect(readPreferences(kept, columns)).toEqual(start)
  })

  test('are restored unchanged', () => {
    const mine = resizeColumn(moveColumn(toggleColumn(start, 'industry'), 'city', -1), 'state', 200)
    expect(readPreferences(JSON.parse(JSON.stringify(mine)), columns)).toEqual(mine)
  })

  test('an unknown column is dropped, and a new one gets its default position', () => {
    const kept = { order: ['city', 'gone', 'name'], hidden: ['gone'], pinned: ['gone'], widths: { gone: 10 } }
    expect(readPreferences(kept, columns)).toEqual({
      order: ['city', 'industry', 'name', 'state'],
      hidden: ['industry'],
      pinned: [],
      widths: {},
      density: 'comfortable',
    })
  })

  test('the column that names the row cannot be hidden, and widths are limited', () => {
    const kept = { ...start, hidden: ['name', 'city'], widths: { state: 9_000, city: Number.NaN } }
    const read = readPreferences(kept, columns)
    expect(read.hidden).toEqual(['city'])
    expect(read.widths).toEqual({ state: 640 })
  })
})

describe('moving', () => {
  test('moves by one position among the visible columns', () => {
    expect(moveColumn(start, 'state', 1).order).toEqual(['name', 'city', 'state', 'industry'])
    expect(moveColumn(start, 'city', -1).order).toEqual(['name', 'city', 'state', 'industry'])
  })

  test('stops at the end and at pinned columns', () => {
    expect(moveColumn(start, 'city', 1)).toEqual(start)
    expect(moveColumn(start, 'state', -1)).toEqual(start)
  })

  test('a hidden column moves by one position too, and its position is announced', () => {
    const industry = { id: 'industry', label: 'Industry' }
    const moved = moveColumn(start, 'industry', -1)
    expect(moved.order).toEqual(['name', 'state', 'industry', 'city'])
    expect(moveColumn(start, 'industry', 1)).toEqual(start)
    expect(placeWords(moved, industry)).toBe('Industry: column 3 of 4, not shown')
    expect(placeWords(moved, { id: 'city', label: 'City' })).toBe('City: column 3 of 3')
  })

  test('dropping on a pinned column pins it; dropping on another column unpins it', () => {
    const pinned = placeColumn(start, 'city', 'name', 'before')
    expect(pinned.pinned).toEqual(['city', 'name'])
    expect(placeColumn(pinned, 'city', 'state', 'after').pinned).toEqual(['name'])
  })
})

test('showing, hiding and pinning can be reversed', () => {
  expect(toggleColumn(toggleColumn(start, 'city'), 'city')).toEqual(start)
  expect(togglePinned(start, 'state').pinned).toEqual(['name', 'state'])
  expect(togglePinned(togglePinned(start, 'state'), 'state')).toEqual(start)
})
