/**
 * Most records of one family, including the survivor, and thus the maximum length of a chain of merges. People merge far fewer. A merge beyond the
 * limit is refused.
 */
export const MAX_FAMILY = 50
