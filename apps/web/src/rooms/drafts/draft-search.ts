export type NewDraftSearch = { businessId?: string; suggestionId?: string }

/** Search parameters of a new draft: its prospect, and the suggestion from which its text starts. */
export function parseNewDraftSearch({ businessId, suggestionId }: Record<string, unknown>): NewDraftSearch {
  return {
    ...(typeof businessId === 'string' && { businessId }),
    ...(typeof suggestionId === 'string' && { suggestionId }),
  }
}
