import { Worker } from 'node:worker_threads'
import type {
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
  VerifyAuthenticationResponseOpts,
  VerifyRegistrationResponseOpts,
} from '@simplewebauthn/server'
import { AppError } from '../../../lib/app-error.ts'
import { askThread, type Thread } from '../../../lib/ask-thread.ts'
import { THREAD_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'

/** Idle time after which the thread ends and its memory is released. */
const KEPT_FOR_MS = 60_000
/** Maximum number of waiting checks. A check takes a few milliseconds, so people cannot cause a longer queue. */
export const MAX_WAITING = 64

export type PasskeyCheck = {
  registration?: VerifyRegistrationResponseOpts
  authentication?: VerifyAuthenticationResponseOpts
}
/** `refused`: the error message of the library that rejected the response. */
export type PasskeyAnswer = {
  registered?: VerifiedRegistrationResponse
  authenticated?: VerifiedAuthenticationResponse
  refused?: string
}

let thread: Thread<PasskeyCheck, PasskeyAnswer> | undefined
let idle: NodeJS.Timeout | undefined

/**
 * Verifies an authenticator's response in a separate thread, because loading the library takes 27 MB and blocks for longer than the event loop may be
 * blocked. The thread starts with the first check. Challenges are passed as text, because functions cannot be passed to threads. Errors:
 * `unavailable` (too many checks wait, or the thread ends).
 */
export async function checkInThread(check: PasskeyCheck): Promise<PasskeyAnswer> {
  thread ??= startThread()
  const asked = thread
  clearTimeout(idle)
  if (asked.waiting() >= MAX_WAITING)
    throw new AppError('unavailable', 'Too many passkeys are being checked. Try again in a moment.')
  try {
    return await asked.ask(check)
  } finally {
    if (asked === thread && asked.waiting() === 0) idle = setTimeout(endThread, KEPT_FOR_MS).unref()
  }
}

function startThread(): Thread<PasskeyCheck, PasskeyAnswer> {
  const worker = new Worker(new URL('./passkey-worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: THREAD_YOUNG_GENERATION_MB },
  })
  // Lets the process exit while the thread runs. A waiting request keeps the process alive by its connection.
  worker.unref()
  const started: Thread<PasskeyCheck, PasskeyAnswer> = askThread(worker, {
    lost: (cause) => new AppError('unavailable', 'The passkey could not be checked. Try again.', { cause }),
    onEnd: () => {
      if (thread === started) thread = undefined
    },
  })
  return started
}

function endThread(): void {
  void thread?.end()
  thread = undefined
}
