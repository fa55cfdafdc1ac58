import { oneOf, withoutUndefined } from '../../ui/lists/search-params.ts'

export const requestStates = ['overdue', 'upcoming', 'answered'] as const

/** Search parameters of the list. Without a state it shows all open requests. */
export type RequestSearch = { state?: (typeof requestStates)[number] }

export function parseRequestSearch({ state }: Record<string, unknown>): RequestSearch {
  return withoutUndefined({ state: oneOf(requestStates, state) })
}
