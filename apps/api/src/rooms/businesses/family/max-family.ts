/**
 * Maximum of records that one survivor stands for, including itself, and so the maximum length of a chain of merges: far more than anybody
 * merges. A merge beyond it is refused.
 */
export const MAX_FAMILY = 50
