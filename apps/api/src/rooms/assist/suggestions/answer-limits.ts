/** Limits of an answer, shown in `docs/limits.md`. */
export const answerLimits = { claims: 12, quotes: 4, claimLength: 1_000, quoteLength: 2_000, quoteMinimum: 12 } as const
