/**
 * The load driver: a closed loop over keep-alive connections on raw sockets, with one request in progress on each. autocannon and node:http need more
 * time per request than a bare server does, so above some 20,000 requests per second they would measure themselves.
 *
 * `startDriver` (processes.ts) starts it as a separate process on another core than the server's. It takes one LoadPlan per message and answers each
 * with a LoadResult.
 */
import { connect, type Socket } from 'node:net'
import { z } from 'zod'

export const loadPlan = z.object({
  port: z.number().int(),
  connections: z.number().int().min(1),
  /** maximum duration; the run ends earlier if `requests` is reached first */
  seconds: z.number().positive(),
  requests: z.number().int().positive().optional(),
  method: z.enum(['GET', 'POST']),
  /** paths to request, in a shuffled order that is the same for every run */
  paths: z.array(z.string()).min(1),
  headers: z.record(z.string(), z.string()),
  /** body of each request; `{number}` is replaced by seven digits that differ in each request, counted from `firstNumber` */
  body: z.string().optional(),
  firstNumber: z.number().int().default(0),
})
export type LoadPlan = z.input<typeof loadPlan>

export const loadResult = z.object({
  requests: z.number(),
  perSecond: z.number(),
  /** times in milliseconds */
  p50: z.number(),
  p99: z.number(),
  max: z.number(),
  bytesPerAnswer: z.number(),
  /** number of statuses other than 2xx and of lost connections; a run with any failure does not count */
  failures: z.number(),
  firstFailure: z.string().nullable(),
})
export type LoadResult = z.infer<typeof loadResult>

type Run = {
  plan: z.output<typeof loadPlan>
  latencies: number[]
  bytes: number
  sent: number
  failures: number
  firstFailure: string | null
  deadline: number
}

async function runLoad(plan: z.output<typeof loadPlan>): Promise<LoadResult> {
  const started = performance.now()
  const run: Run = {
    plan,
    latencies: [],
    bytes: 0,
    sent: 0,
    failures: 0,
    firstFailure: null,
    deadline: started + plan.seconds * 1000,
  }
  const nextRequest = requestMaker(plan)
  await Promise.all(Array.from({ length: plan.connections }, () => runConnection(run, nextRequest)))
  const elapsedMs = performance.now() - started
  const sorted = Float64Array.from(run.latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    requests: sorted.length,
    perSecond: (sorted.length * 1000) / elapsedMs,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    bytesPerAnswer: sorted.length === 0 ? 0 : Math.round(run.bytes / sorted.length),
    failures: run.failures,
    firstFailure: run.firstFailure,
  }
}

/** Returns a function that returns the next request. Requests are built before the clock starts, except those whose body contains a number. */
function requestMaker(plan: z.output<typeof loadPlan>): () => Buffer | string {
  const headers = Object.entries({ host: `127.0.0.1:${plan.port}`, ...plan.headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  let sent = 0
  const { body } = plan
  if (body === undefined) {
    const ready = shuffled(plan.paths).map((path) => Buffer.from(`${plan.method} ${path} HTTP/1.1\r\n${headers}\r\n`))
    return () => ready[sent++ % ready.length] ?? ''
  }
  const length = Buffer.byteLength(body.replaceAll('{number}', '0000000'))
  const head = `${plan.method} ${plan.paths[0] ?? '/'} HTTP/1.1\r\n${headers}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
  const template = head + body
  return () => template.replaceAll('{number}', String(plan.firstNumber + sent++).padStart(7, '0'))
}

function shuffled<T>(list: readonly T[]): T[] {
  const copy = [...list]
  let state = 12345
  for (let i = copy.length - 1; i > 0; i--) {
    state = (state * 1103515245 + 12345) % 2147483648
    const j = state % (i + 1)
    const [a, b] = [copy[i], copy[j]]
    if (a !== undefined && b !== undefined) [copy[i], copy[j]] = [b, a]
  }
  return copy
}

function runConnection(run: Run, nextRequest: () => Buffer | string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: run.plan.port, noDelay: true })
    let sentAt = 0
    let answer: Answer = { held: null, missing: -1, status: 0, size: 0 }
    const send = () => {
      if (performance.now() >= run.deadline || run.sent === run.plan.requests) return finish(socket, resolve)
      run.sent++
      answer = { held: null, missing: -1, status: 0, size: 0 }
      sentAt = performance.now()
      socket.write(nextRequest())
    }
    socket.on('connect', send)
    socket.on('data', (chunk: Buffer) => {
      if (!take(answer, chunk)) return
      run.latencies.push(performance.now() - sentAt)
      run.bytes += answer.size
      if (answer.status < 200 || answer.status > 299)
        fail(run, `${answer.status}: ${chunk.toString('utf8').slice(-300)}`)
      send()
    })
    socket.on('error', (error) => fail(run, error.message))
    socket.on('close', () => {
      if (performance.now() < run.deadline && run.sent !== run.plan.requests)
        fail(run, 'the server closed a connection')
      resolve()
    })
  })
}

function finish(socket: Socket, done: () => void): void {
  socket.removeAllListeners()
  socket.on('error', () => {})
  socket.end()
  done()
}

function fail(run: Run, why: string): void {
  run.failures++
  run.firstFailure ??= why
}

type Answer = { held: Buffer | null; missing: number; status: number; size: number }

/** Parses only the status and the content-length of a response. Returns true when the response is complete. */
function take(answer: Answer, chunk: Buffer): boolean {
  answer.size += chunk.length
  if (answer.missing >= 0) {
    answer.missing -= chunk.length
    return answer.missing <= 0
  }
  const data = answer.held === null ? chunk : Buffer.concat([answer.held, chunk])
  const end = data.indexOf('\r\n\r\n')
  if (end === -1) {
    answer.held = data
    return false
  }
  const head = data.toString('latin1', 0, end).toLowerCase()
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  if (length === undefined && !head.startsWith('http/1.1 204')) {
    throw new Error(`an answer without content-length is not understood: ${head}`)
  }
  answer.status = Number(head.slice(9, 12))
  answer.missing = Number(length ?? 0) - (data.length - end - 4)
  return answer.missing <= 0
}

// Other files import the schemas only.
if (import.meta.main) {
  process.on('message', (message) => {
    runLoad(loadPlan.parse(message)).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit(0))
}
