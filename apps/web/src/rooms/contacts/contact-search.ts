import { oneOf, withoutUndefined } from '../../ui/lists/search-params.ts'

/** States that the list offers beside those that wait for a decision. */
export const otherStates = ['known', 'quarantined', 'accepted', 'rejected', 'expired'] as const
const kinds = ['email', 'phone'] as const

/** Search parameters of the list of candidates. Without `show` they are those that wait for a decision. */
export type ContactSearch = { show?: (typeof otherStates)[number]; kind?: (typeof kinds)[number] }

export function parseContactSearch({ show, kind }: Record<string, unknown>): ContactSearch {
  return withoutUndefined({ show: oneOf(otherStates, show), kind: oneOf(kinds, kind) })
}
