/**
 * Maximum number of records in one family, including the survivor, and thus the maximum length of a chain of merges. A merge beyond the limit is
 * rejected. In practice people merge far fewer records.
 */
export const MAX_FAMILY = 50
