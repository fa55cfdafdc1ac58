/**
 * What a background thread may use for its young objects, in megabytes, three halves of 2: each thread would grow to 96 otherwise, and none
 * is faster for it but those of a run over a tenant. The main thread has V8's own bound: what the requests of one commit share must not
 * be taken for long-lived.
 */
export const THREAD_YOUNG_GENERATION_MB = 6
/** A thread of a run makes and keeps a million objects: what it sorts out while they are young it does not move twice. Three halves of 8. */
export const RUN_YOUNG_GENERATION_MB = 24
