/** Rises whenever the same page yields other values, rules or labels. */
export const EXTRACTOR_VERSION = 6
/** Rises whenever the bounds or the conditions of an extraction change. */
export const POLICY_VERSION = 1
