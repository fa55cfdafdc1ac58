/**
 * What a background thread may use for its young objects, in megabytes (V8 takes three halves, here of 2). Left alone a thread would grow to
 * 96, and only those of a run over a tenant are faster for more. The main thread keeps V8's own bound, so that what the requests of one commit
 * share is not taken for long-lived.
 */
export const THREAD_YOUNG_GENERATION_MB = 6
/** For a thread of a run (three halves of 8), which makes a million objects and keeps them: with more room fewer are moved twice. */
export const RUN_YOUNG_GENERATION_MB = 24
