/**
 * Maximum number of records in one family, including the survivor, and thus the maximum length of a chain of merges. People merge far fewer records.
 * A merge beyond the limit is refused.
 */
export const MAX_FAMILY = 50
