import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/** Indexes that a virtual list renders: the visible ones with some around them, and `index` wherever it is (-1: none). */
export function withIndex(range: Range, index: number): number[] {
  const drawn = defaultRangeExtractor(range)
  return index < 0 || drawn.includes(index) ? drawn : [...drawn, index].sort((a, b) => a - b)
}
