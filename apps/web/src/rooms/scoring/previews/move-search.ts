import { oneOf, withoutUndefined } from '../../../ui/lists/search-params.ts'

/** Search parameters: the cell of a matrix whose largest moves are listed. */
export type MoveSearch = { of?: 'priority' | 'eligibility'; from?: string; to?: string }

export function parseMoveSearch({ of, from, to }: Record<string, unknown>): MoveSearch {
  return withoutUndefined({
    of: oneOf(['priority', 'eligibility'] as const, of),
    from: cell(from),
    to: cell(to),
  })
}

/** Validates the id of a band: letters, digits, - and _. An id of digits only is parsed as a number. */
function cell(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[\w-]{1,40}$/.test(text) ? text : undefined
}
