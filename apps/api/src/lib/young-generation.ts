/**
 * Size of the young generation of a background thread in megabytes (V8 uses three halves, here of 2 each). By default V8 would let it grow to 96,
 * from which only the threads of a matching run get faster. The main thread uses V8's default, so that data that the requests of one commit share is
 * not promoted to the old generation.
 */
export const THREAD_YOUNG_GENERATION_MB = 6
/**
 * Size for a thread of a matching run (three halves of 8), which creates a million long-lived objects. With more space, fewer of them are copied
 * twice.
 */
export const RUN_YOUNG_GENERATION_MB = 24
