export type NewDraftSearch = { businessId?: string }

/** The prospect that a new draft is for. */
export function parseNewDraftSearch({ businessId }: Record<string, unknown>): NewDraftSearch {
  return typeof businessId === 'string' ? { businessId } : {}
}
