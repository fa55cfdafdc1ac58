export type NewDraftSearch = { businessId?: string; suggestionId?: string }

/** The prospect of a new draft, and the suggestion as which its text starts. */
export function parseNewDraftSearch({ businessId, suggestionId }: Record<string, unknown>): NewDraftSearch {
  return {
    ...(typeof businessId === 'string' && { businessId }),
    ...(typeof suggestionId === 'string' && { suggestionId }),
  }
}
