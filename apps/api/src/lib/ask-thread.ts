import { type MessagePort, parentPort, type Worker } from 'node:worker_threads'

/*
 * Requests and answers between the main thread and its worker threads. A worker is never terminated, because a termination inside the database driver
 * ends the whole process. Instead the main thread sends an end message, and the worker ends after its last answer.
 */

type Call<Request> = { id: number; request: Request }
const END = 'end'
const READY = 'ready'
type Reply<Answer, Note> = { id: number; answer: Answer } | { id: number; note: Note } | typeof READY

type Waiting<Answer, Note> = {
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
  onNote: ((note: Note) => void) | undefined
}

export type Thread<Request, Answer, Note = never> = {
  worker: Worker
  /**
   * Sends a request. Requests are answered in order, unless the thread answers asynchronously. `onNote` receives the messages that the thread sends
   * before its answer.
   */
  ask(request: Request, onNote?: (note: Note) => void): Promise<Answer>
  /** the number of requests without an answer */
  waiting(): number
  /** Asks the thread to end after its last answer. Resolves when it has ended. */
  end(): Promise<void>
}

type ThreadOptions = {
  /** Creates the error for requests that a thread left unanswered when it ended. `cause`: the error that the thread threw, if any. */
  lost: (cause: unknown) => Error
  onReady?: () => void
  /** Called when the thread has ended. `cause`: the error that the thread threw; undefined after a regular end. */
  onEnd?: (cause: unknown) => void
}

/** Returns the main thread's side of a thread that runs `answerRequests`. */
export function askThread<Request, Answer, Note = never>(
  worker: Worker,
  { lost, onReady, onEnd }: ThreadOptions,
): Thread<Request, Answer, Note> {
  const waiting = new Map<number, Waiting<Answer, Note>>()
  let lastId = 0
  let cause: unknown
  let hasEnded = false
  worker.on('message', (reply: Reply<Answer, Note>) => {
    if (reply === READY) return onReady?.()
    const asked = waiting.get(reply.id)
    if ('note' in reply) return asked?.onNote?.(reply.note)
    waiting.delete(reply.id)
    asked?.resolve(reply.answer)
  })
  worker.on('error', (error) => {
    cause = error
  })
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      hasEnded = true
      const error = lost(cause)
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
      onEnd?.(cause)
      resolve()
    })
  })
  return {
    worker,
    ask: (request, onNote) => {
      if (hasEnded) return Promise.reject(lost(cause))
      lastId += 1
      const id = lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, onNote })
        worker.postMessage({ id, request } satisfies Call<Request>)
      })
    },
    waiting: () => waiting.size,
    end: () => {
      worker.postMessage(END)
      return ended
    },
  }
}

/**
 * Answers each request in the worker until the end message arrives, and then calls `onEnd`. An error that `answer` throws ends the thread, so a
 * failure that the main thread should handle must be returned as an answer.
 */
export function answerRequests<Request, Answer, Note = never>(
  answer: (request: Request, note: (note: Note) => void) => Answer | Promise<Answer>,
  onEnd: () => void = () => {},
): void {
  if (parentPort === null) throw new Error('This file runs as a worker thread.')
  const port: MessagePort = parentPort
  let answering = Promise.resolve()
  const reply = async ({ id, request }: Call<Request>) => {
    const note = (said: Note) => port.postMessage({ id, note: said } satisfies Reply<Answer, Note>)
    port.postMessage({ id, answer: await answer(request, note) } satisfies Reply<Answer, Note>)
  }
  port.on('message', (message: Call<Request> | typeof END) => {
    if (message !== END) answering = answering.then(() => reply(message))
    else
      void answering.then(() => {
        port.close()
        onEnd()
      })
  })
  port.postMessage(READY satisfies Reply<Answer, Note>)
}
