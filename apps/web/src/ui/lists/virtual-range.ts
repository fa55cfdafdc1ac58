import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/** What a virtual list draws: what is on screen with a little around it, and the row at `index` wherever that is; -1: none. */
export function withIndex(range: Range, index: number): number[] {
  const drawn = defaultRangeExtractor(range)
  return index < 0 || drawn.includes(index) ? drawn : [...drawn, index].sort((a, b) => a - b)
}
