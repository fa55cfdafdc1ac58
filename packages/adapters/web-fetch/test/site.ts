import { connect, Socket } from 'node:net'
import type { TransportResult } from '@prospect/adapter-contract/adapter'
import { type DnsServe, dnsServer, rcode, type TestDnsServer } from '@prospect/adapter-contract/test-kit/dns-server'
import { requestOf } from '@prospect/adapter-contract/test-kit/request-of'
import { LOOPBACK } from '@prospect/adapter-contract/test-kit/servers'
import { type WebPage, type WebQuery, webPageSchema } from '@prospect/adapter-contract/web-page'
import * as dnsPacket from 'dns-packet'
import type { Dial } from '../src/dial.ts'
import { fetchPage } from '../src/fetch-page.ts'
import { webQuery } from './web-query.ts'

/** Public addresses, which the address policy requires. Nothing is sent to them, because the tests' `dial` connects to loopback. */
export const PUBLIC_V4 = '196.10.100.1'
export const PUBLIC_V6 = '2c0f:fb50:4002::1'

export type Addresses = { a?: string[]; aaaa?: string[] }

/** Creates a name server that answers A and AAAA for every name. */
export function nameServer({ a = [], aaaa = [] }: Addresses = { a: [PUBLIC_V4] }): Promise<TestDnsServer> {
  return dnsServer((question) => answerOf(question, { a, aaaa }))
}

export const answerOf = (question: Buffer, { a = [], aaaa = [] }: Addresses): ReturnType<DnsServe> => {
  const [asked] = dnsPacket.decode(question).questions ?? []
  const name = asked?.name ?? ''
  const answers =
    asked?.type === 'A'
      ? a.map((data) => ({ name, type: 'A', ttl: 60, data }) as const)
      : aaaa.map((data) => ({ name, type: 'AAAA', ttl: 60, data }) as const)
  return { answers, flags: dnsPacket.RECURSION_AVAILABLE }
}

export { rcode }

export type Dialled = { address: string; port: number }

/** Returns a `dial` that connects to a server of the test and reports the requested address as its peer. */
export function dialTo(port: number): { dial: Dial; dialled: Dialled[] } {
  const dialled: Dialled[] = []
  const dial: Dial = (address, asked) => {
    dialled.push({ address, port: asked })
    return { socket: connect({ host: LOOPBACK, port }), peer: () => address }
  }
  return { dial, dialled }
}

/** Returns a socket that never connects. */
export const dialNowhere = (address: string) => ({ socket: new Socket(), peer: () => address })

type Visit = Partial<Omit<WebQuery, 'limits'>> & {
  limits?: Partial<WebQuery['limits']>
  dial: Dial
  names?: TestDnsServer
  ca?: string
  /** limits that the API passes with the query */
  call?: { timeoutMs?: number; maxBytes?: number }
}

/** Requests a page as the transport does, with the test's `dial`. */
export async function visit({ dial, names, ca, call = {}, limits, ...query }: Visit) {
  const { port } = names ?? (await nameServer())
  const means = { nameServers: [{ address: LOOPBACK, port }], userAgent: 'ProspectPlatform/test', dial, ca }
  return requestOf({
    transport: { request: (input: Parameters<typeof fetchPage>[0]) => fetchPage(input, means) },
    query: { ...webQuery, ...query, limits: { ...webQuery.limits, ...limits } },
    settings: {},
    ...call,
  })
}

/** Returns the page of a result, with its body as text. */
export function pageOf(result: TransportResult): WebPage & { text: string } {
  if (result.outcome !== 'answered') throw new Error(`The visit ended ${JSON.stringify(result)}.`)
  const page = webPageSchema.parse(result.records[0])
  return { ...page, text: new TextDecoder().decode(page.body) }
}
