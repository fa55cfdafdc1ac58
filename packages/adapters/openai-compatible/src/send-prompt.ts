import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { NoSettings, RequestInput, TransportResult } from '@prospect/adapter-contract/adapter'
import { isPrivateAddress } from '@prospect/adapter-contract/addresses'
import {
  type CheckedPrompt,
  type Completion,
  type CompletionTrace,
  isCheckedPrompt,
  MAX_ANSWER_BYTES,
  MAX_CALL_MS,
} from '@prospect/adapter-contract/prompt'
import { encrypt } from '@prospect/http-exchange/encrypt'
import { type Connection, exchange, type Response } from '@prospect/http-exchange/exchange'
import { resultOfStatus } from '@prospect/http-exchange/status'
import { Stopped } from '@prospect/http-exchange/stopped'
import { untilStopped } from '@prospect/http-exchange/until-stopped'
import { readCompletion } from './completion.ts'
import { readKey } from './read-key.ts'
import { bodyOf } from './request.ts'

/** The operator's server. `ca`: certificate authorities, set only in tests; undefined means Node's own. */
export type Provider = { endpoint: URL; model: string; keyFile: string | undefined; ca: string | undefined }

type Input = RequestInput<CheckedPrompt, NoSettings>
type Result = TransportResult<CheckedPrompt, Completion, CompletionTrace>

/** Maximum number of bytes for the head and the framing of a response. */
const MAX_OVERHEAD_BYTES = 32 * 1024

/**
 * Sends exactly one POST. `node:http` repeats no request, follows no redirect and uses no proxy, whereas `fetch` sends a second request after a 421.
 */
export function sendPrompt(input: Input, provider: Provider): Promise<Result> {
  let connection: Connection | undefined
  const unavailable = ({ reason, cause, fault }: Stopped): Result => ({
    outcome: 'unavailable',
    cause,
    fault,
    trace: { status: null, reason },
    bytesReceived: connection?.bytesReceived() ?? 0,
  })
  return untilStopped<Result>({
    signal: input.signal,
    limitMs: Math.min(input.timeoutMs, MAX_CALL_MS),
    run: async (signal) => {
      const { endpoint, model, keyFile, ca } = provider
      if (!isCheckedPrompt(input.query)) return refused('destination_denied')
      const key = keyFile === undefined ? undefined : await readKey(keyFile, signal)
      signal.throwIfAborted()
      if (keyFile !== undefined && key === undefined) return refused('secret_unreadable')
      connection = await openConnection(endpoint, ca, signal)
      const maxBytes = Math.min(MAX_ANSWER_BYTES, input.maxBytes)
      const body = bodyOf(input.query, model)
      const response = await exchange({
        connection,
        method: 'POST',
        path: endpoint.pathname,
        headers: {
          Host: endpoint.host,
          ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
          Accept: 'application/json',
          'Accept-Encoding': 'identity',
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
          Connection: 'close',
        },
        body,
        acceptsGzip: false,
        maxWireBytes: maxBytes + MAX_OVERHEAD_BYTES,
        maxDecodedBytes: maxBytes,
        isHeadEnough: (status) => status < 200 || status > 299,
        signal,
      })
      return (
        resultOf(response, connection.bytesReceived(), input.now) ??
        unavailable(new Stopped(response.endedBy ?? 'protocol_error'))
      )
    },
    onStopped: unavailable,
  })
}

/** Returns the result of a request that was rejected before anything was sent. */
function refused(cause: 'destination_denied' | 'secret_unreadable'): Result {
  return { outcome: 'unavailable', cause, fault: 'transport', trace: { status: null, reason: null }, bytesReceived: 0 }
}

/** Returns the result of a response; undefined if its status is a success but its body ended early or contains no completion. */
function resultOf(
  { status, body, endedBy, retryAfter }: Response,
  bytesReceived: number,
  now: () => Date,
): Result | undefined {
  const trace = { status, reason: null }
  const refusal = resultOfStatus(status, { retryAfter, now, trace, bytesReceived })
  if (refusal !== undefined) return refusal
  const completion = endedBy === null ? readCompletion(new TextDecoder().decode(body)) : undefined
  if (completion === undefined) return undefined
  return { outcome: 'answered', records: [completion], isComplete: true, next: null, trace, bytesReceived }
}

/**
 * Opens a connection. Over `http` it connects only to private addresses, whatever the host name is: the socket uses the addresses that were checked.
 * Errors: `Stopped`.
 */
async function openConnection(endpoint: URL, ca: string | undefined, signal: AbortSignal): Promise<Connection> {
  const isSecure = endpoint.protocol === 'https:'
  const host = endpoint.hostname.replace(/^\[|\]$/g, '')
  const addresses = await Promise.race([lookUp(host), rejectionOf(signal)])
  if (!isSecure && !addresses.every(({ address }) => isPrivateAddress(address)))
    throw new Stopped('unsafe_address', 'transport')
  const socket = connect({
    host,
    port: Number(endpoint.port) || (isSecure ? 443 : 80),
    autoSelectFamily: true,
    lookup: (_host, _options, answer) => answer(null, addresses),
  })
  socket.on('error', () => {})
  signal.addEventListener('abort', () => socket.destroy())
  await once(socket, 'connect', { signal }).catch(() => {
    throw new Stopped('connection_failed')
  })
  const stream = isSecure ? await encrypt(socket, { host, ca, signal }) : socket
  return { stream, bytesReceived: () => socket.bytesRead }
}

/** Resolves a host through the system, including the hosts file, because the operator chose the name. */
async function lookUp(host: string) {
  return lookup(host, { all: true }).catch(() => {
    throw new Stopped('dns_failed', 'transport')
  })
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason))
  return promise
}
