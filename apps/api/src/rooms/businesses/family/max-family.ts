/**
 * How many records one survivor may stand for, itself among them, and so how far a chain of merges is followed: many more than anybody
 * merges. A merge past it is refused.
 */
export const MAX_FAMILY = 50
