/**
 * What a background thread may use for its young objects, in megabytes, three halves of 2: each thread would grow to 96 otherwise, and none
 * is faster for it. The main thread has V8's own bound: what the requests of one commit share must not be taken for long-lived.
 */
export const THREAD_YOUNG_GENERATION_MB = 6
