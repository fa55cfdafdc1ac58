import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIP } from 'node:net'
import {
  causeOfAbort,
  type Transport,
  type TransportResult,
  type UnavailableCause,
} from '@prospect/adapter-contract/adapter'
import type { DnsAnswer, DnsQuery, DnsTrace } from '@prospect/adapter-contract/dns'
import { answerOf } from './answer.ts'
import { encodeQuestion, type Message, readAnswer } from './message.ts'
import {
  type DnsSettings,
  EDNS_BYTES,
  isForbidden,
  MAX_DURATION_MS,
  MAX_MESSAGE_BYTES,
  type Resolver,
} from './rules.ts'
import { settleOnce } from './settle-once.ts'

/** Number of ignored datagrams that ends a request. Datagrams that answer another question are ignored, because they can be forged. */
const MAX_MISMATCHES = 100
/** Size of the length that precedes a message over TCP. */
const LENGTH_BYTES = 2

type Reading = Message | 'malformed' | 'mismatched'
type Failure = { cause: UnavailableCause; reason: DnsTrace['reason'] }
type Ended = ({ message: Message } | Failure) & { bytesReceived: number }

type Exchange = {
  resolver: Resolver
  question: Buffer
  read: (bytes: Buffer) => Reading
  signal: AbortSignal
  limitMs: number
  maxBytes: number
}

/** Creates a transport that uses one socket and one id per request. For a truncated answer, `next` is the same question over TCP. */
export function createTransport(resolvers: readonly Resolver[]): Transport<DnsQuery, DnsSettings, DnsAnswer, DnsTrace> {
  return {
    request: async ({ query, settings, signal, timeoutMs, maxBytes, attempt }) => {
      const resolver = chooseResolver(resolvers, settings, attempt)
      const trace: DnsTrace = { resolver: resolver?.name ?? null, over: query.over, reason: null }
      const refused = (cause: UnavailableCause): TransportResult<DnsQuery, DnsAnswer, DnsTrace> => ({
        outcome: 'unavailable',
        cause,
        fault: 'target',
        trace: { ...trace, resolver: null },
        bytesReceived: 0,
      })
      if (signal.aborted) return refused(causeOfAbort(signal))
      if (resolver === undefined || isForbidden(query.name, settings.forbiddenNames))
        return refused('destination_denied')

      const id = randomInt(65_536)
      const ended = await (query.over === 'udp' ? askOverUdp : askOverTcp)({
        resolver,
        question: encodeQuestion(id, query),
        read: (bytes) => readAnswer(bytes, id, query),
        signal,
        limitMs: Math.min(timeoutMs, MAX_DURATION_MS),
        // Over TCP the length before the message counts as received too.
        maxBytes:
          query.over === 'udp'
            ? Math.min(maxBytes, EDNS_BYTES)
            : Math.max(0, Math.min(maxBytes - LENGTH_BYTES, MAX_MESSAGE_BYTES)),
      })
      const { bytesReceived } = ended
      // The operator chose the resolvers, so a failing resolver is a failure of the transport rather than of a target.
      if (!('message' in ended))
        return {
          outcome: 'unavailable',
          cause: ended.cause,
          fault: 'transport',
          trace: { ...trace, reason: ended.reason },
          bytesReceived,
        }
      const { isTruncated } = ended.message
      return {
        outcome: 'answered',
        records: [answerOf(query, ended.message)],
        isComplete: !isTruncated,
        next: isTruncated && query.over === 'udp' ? { ...query, over: 'tcp' } : null,
        trace,
        bytesReceived,
      }
    },
  }
}

/** Returns the resolver of an attempt. The attempts rotate over the resolvers that the source contract selects. */
function chooseResolver(resolvers: readonly Resolver[], { resolvers: names }: DnsSettings, attempt: number) {
  const name = names[(attempt - 1) % names.length]
  return resolvers.find((resolver) => resolver.name === name)
}

function askOverUdp({ resolver, question, read, signal, limitMs, maxBytes }: Exchange): Promise<Ended> {
  // Use a connected socket, so that the kernel delivers only datagrams from this address and port.
  const socket = createSocket(isIP(resolver.address) === 6 ? 'udp6' : 'udp4')
  let bytesReceived = 0
  let mismatches = 0
  const failed = (cause: UnavailableCause, reason: DnsTrace['reason'] = null) => ({ cause, reason, bytesReceived })
  const { ended, settle } = settleOnce<Ended>({
    signal,
    limitMs,
    onStopped: (cause) =>
      cause === 'timeout' && mismatches > 0 ? failed('answer_invalid', 'mismatched') : failed(cause),
    release: () => socket.close(),
  })
  socket.on('error', () => settle(failed('connection_failed')))
  socket.on('message', (bytes) => {
    bytesReceived += bytes.length
    if (bytes.length > maxBytes) return settle(failed('answer_too_large'))
    const reading = read(bytes)
    if (reading === 'malformed') return settle(failed('answer_invalid', reading))
    if (reading !== 'mismatched') return settle({ message: reading, bytesReceived })
    mismatches += 1
    if (mismatches === MAX_MISMATCHES) settle(failed('answer_invalid', reading))
  })
  socket.once('connect', () => socket.send(question))
  socket.connect(resolver.port, resolver.address)
  return ended
}

function askOverTcp({ resolver, question, read, signal, limitMs, maxBytes }: Exchange): Promise<Ended> {
  const socket = connect({ host: resolver.address, port: resolver.port })
  const received = Buffer.alloc(LENGTH_BYTES + maxBytes)
  let bytesReceived = 0
  const failed = (cause: UnavailableCause, reason: DnsTrace['reason'] = null) => ({ cause, reason, bytesReceived })
  const { ended, settle } = settleOnce<Ended>({
    signal,
    limitMs,
    onStopped: failed,
    release: () => socket.destroy(),
  })
  const closed = () => settle(bytesReceived === 0 ? failed('connection_failed') : failed('answer_invalid', 'malformed'))
  socket.on('error', closed)
  socket.on('end', closed)
  socket.on('data', (chunk: Buffer) => {
    received.set(chunk.subarray(0, received.length - bytesReceived), bytesReceived)
    bytesReceived += chunk.length
    if (bytesReceived < LENGTH_BYTES) return
    const length = received.readUInt16BE(0)
    if (length > maxBytes) return settle(failed('answer_too_large'))
    if (bytesReceived < LENGTH_BYTES + length) return
    const reading = read(received.subarray(LENGTH_BYTES, LENGTH_BYTES + length))
    settle(typeof reading === 'string' ? failed('answer_invalid', reading) : { message: reading, bytesReceived })
  })
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt16BE(question.length)
  socket.write(Buffer.concat([length, question]))
  return ended
}
