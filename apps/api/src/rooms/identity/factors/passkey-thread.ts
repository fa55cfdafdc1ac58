import { Worker } from 'node:worker_threads'
import type {
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
  VerifyAuthenticationResponseOpts,
  VerifyRegistrationResponseOpts,
} from '@simplewebauthn/server'
import { AppError } from '../../../lib/app-error.ts'
import { THREAD_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'

/** Without anything to check for this long, the thread ends and gives its memory back. */
const KEPT_FOR_MS = 60_000
/** Asked while so many wait, it refuses: each takes a few milliseconds, so that many are no people. */
export const MAX_WAITING = 64

type Check = { registration?: VerifyRegistrationResponseOpts; authentication?: VerifyAuthenticationResponseOpts }
export type PasskeyQuestion = Check & { number: number }
/** `refused`: what the library found wrong, in its words. */
export type PasskeyAnswer = {
  number: number
  registered?: VerifiedRegistrationResponse
  authenticated?: VerifiedAuthenticationResponse
  refused?: string
}

type Waiting = { resolve: (answer: PasskeyAnswer) => void; reject: (error: AppError) => void }
type Thread = { worker: Worker; waiting: Map<number, Waiting>; idle?: NodeJS.Timeout }

let thread: Thread | undefined
let asked = 0

/**
 * Has the library check what an authenticator answered, in a thread that starts with the first question: loading the library takes
 * 27 MB and more time than the event loop may stand still. Functions cannot travel there, so challenges are given as text.
 * Errors: `unavailable` when too many wait or the thread ends.
 */
export function checkInThread(check: Check): Promise<PasskeyAnswer> {
  thread ??= startThread()
  const { worker, waiting } = thread
  clearTimeout(thread.idle)
  if (waiting.size >= MAX_WAITING)
    return Promise.reject(new AppError('unavailable', 'Too many passkeys are being checked. Try again in a moment.'))
  asked += 1
  const number = asked
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve, reject })
    worker.postMessage({ ...check, number } satisfies PasskeyQuestion)
  })
}

function startThread(): Thread {
  const worker = new Worker(new URL('./passkey-worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: THREAD_YOUNG_GENERATION_MB },
  })
  // Whoever waits for an answer holds the process by a connection; the thread itself must not.
  worker.unref()
  const started: Thread = { worker, waiting: new Map() }
  worker.on('message', (answer: PasskeyAnswer) => {
    started.waiting.get(answer.number)?.resolve(answer)
    started.waiting.delete(answer.number)
    if (started.waiting.size === 0) started.idle = endLater(started)
  })
  let failure: unknown
  worker.on('error', (error) => {
    failure = error
  })
  worker.on('exit', () => {
    if (thread === started) thread = undefined
    const error = new AppError('unavailable', 'The passkey could not be checked. Try again.', { cause: failure })
    for (const { reject } of started.waiting.values()) reject(error)
  })
  return started
}

function endLater(idle: Thread): NodeJS.Timeout {
  const end = () => {
    if (thread === idle) thread = undefined
    void idle.worker.terminate()
  }
  return setTimeout(end, KEPT_FOR_MS).unref()
}
