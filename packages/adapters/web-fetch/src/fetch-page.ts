import { networkInterfaces } from 'node:os'
import type { NoSettings, RequestInput, TransportResult } from '@prospect/adapter-contract/adapter'
import { ADDRESS_POLICY_VERSION } from '@prospect/adapter-contract/addresses'
import type { HttpReason } from '@prospect/adapter-contract/http-reasons'
import {
  DNS_POLICY_VERSION,
  MAX_URL_LENGTH,
  pageUrlSchema,
  type WebPage,
  type WebQuery,
  type WebTrace,
  webLimits,
} from '@prospect/adapter-contract/web-page'
import { type Connection, exchange, type Response } from '@prospect/http-exchange/exchange'
import { resultOfStatus } from '@prospect/http-exchange/status'
import { Stopped } from '@prospect/http-exchange/stopped'
import { untilStopped } from '@prospect/http-exchange/until-stopped'
import type { Dial } from './dial.ts'
import { judgeAddresses } from './judge-addresses.ts'
import { openConnection } from './open-connection.ts'
import { isRedirect, redirectOf } from './redirect.ts'
import { type NameServer, resolveHost } from './resolve-host.ts'

/** Dependencies of a request. `dial` and `ca` are set only in tests. An import rule allows only the transport and tests to import this file. */
export type Means = {
  nameServers: readonly NameServer[]
  userAgent: string
  dial: Dial
  /** certificate authorities; undefined means Node's own */
  ca: string | undefined
}

type Input = RequestInput<WebQuery, NoSettings>
type Result = TransportResult<WebQuery, WebPage, WebTrace>

const MAX_CONTENT_TYPE_LENGTH = 1_000

/**
 * Sends one GET: resolves the host, checks every address, connects to one of them as a literal, verifies the connected address, sends the request,
 * and reads the response within the limits.
 */
export function fetchPage(input: Input, means: Means): Promise<Result> {
  const url = input.query.url.slice(0, MAX_URL_LENGTH)
  const hop: Hop = { url, status: null, address: null, verdict: 'denied', connection: undefined }
  const { signal, timeoutMs, query } = input
  const budgetMs = Math.min(query.limits.totalMs, webLimits.totalMs)
  return untilStopped<Result>({
    signal,
    limitMs: Math.min(budgetMs, timeoutMs),
    run: (signal) => run(input, means, hop, signal),
    onStopped: ({ reason, cause, fault }) => {
      if (reason === 'peer_mismatch') hop.verdict = 'denied'
      // Until an address is known, the request waits for the name servers, which the operator chose. A budget of the query may be too short for them.
      const areServersSilent = reason === 'time_limit' && hop.address === null && timeoutMs <= budgetMs
      const side = areServersSilent ? 'transport' : fault
      return { outcome: 'unavailable', cause, fault: side, ...endingOf(hop, reason) }
    },
  })
}

/** Facts of the request so far. They are part of every outcome. */
type Hop = Pick<WebTrace, 'url' | 'status' | 'address' | 'verdict'> & { connection: Connection | undefined }

async function run(input: Input, means: Means, hop: Hop, signal: AbortSignal): Promise<Result> {
  const { query, maxBytes, now } = input
  if (!pageUrlSchema.safeParse(query.url).success) throw new Stopped('unsafe_address')
  const url = new URL(query.url)
  const addresses = await resolveHost(url.hostname, means.nameServers, signal)
  const judged = judgeAddresses(addresses, ownAddresses())
  hop.address = judged.address
  if (!judged.isSafe) throw new Stopped(query.earlierAddresses.length > 0 ? 'rebinding' : 'unsafe_address')
  hop.verdict = 'allowed'
  hop.connection = await openConnection(url, judged.address, { ...means, signal })
  const response = await exchange({
    connection: hop.connection,
    method: 'GET',
    path: `${url.pathname}${url.search}`,
    headers: {
      Host: url.host,
      'User-Agent': means.userAgent,
      Accept: 'text/html,application/xhtml+xml,text/plain;q=0.9',
      'Accept-Encoding': 'gzip',
      Connection: 'close',
    },
    acceptsGzip: true,
    silenceMs: webLimits.silenceMs,
    maxWireBytes: Math.min(query.limits.wireBytes, maxBytes, webLimits.wireBytes),
    maxDecodedBytes: Math.min(query.limits.decodedBytes, maxBytes, webLimits.decodedBytes),
    isHeadEnough: (status) => isRefusal(status) || isRedirect(status),
    signal,
  })
  hop.status = response.status
  if (response.endedBy === 'cancelled') throw new Stopped('cancelled')
  const refusal = isRefusal(response.status)
    ? resultOfStatus(response.status, { retryAfter: response.retryAfter, now, ...endingOf(hop, null) })
    : undefined
  return refusal ?? { outcome: 'answered', next: null, ...pageOf(url, response, hop) }
}

/** Returns true if the site defers the request or denies access. The body is then not read. */
function isRefusal(status: number): boolean {
  return status === 429 || status === 401 || status === 403 || status === 451
}

function pageOf(url: URL, response: Response, hop: Hop) {
  const { status, body, endedBy } = response
  const contentType = response.contentType?.slice(0, MAX_CONTENT_TYPE_LENGTH) ?? null
  const redirect = isRedirect(status) ? redirectOf(url, response.locations) : null
  return {
    records: [{ status, contentType, body, redirect, endedBy }],
    isComplete: endedBy === null,
    ...endingOf(hop, endedBy),
  }
}

function endingOf({ connection, ...hop }: Hop, reason: HttpReason | null) {
  const bytesReceived = connection?.bytesReceived() ?? 0
  const versions = { addressPolicyVersion: ADDRESS_POLICY_VERSION, dnsPolicyVersion: DNS_POLICY_VERSION }
  return { trace: { ...hop, reason, wireBytes: bytesReceived, ...versions }, bytesReceived }
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])
}
