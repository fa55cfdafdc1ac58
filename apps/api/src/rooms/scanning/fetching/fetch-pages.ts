import { USER_AGENT_TOKEN, type WebPage, type WebTrace } from '@prospect/adapter-contract/web-page'
import { sha256OfBytes } from '../../../lib/hashing.ts'
import type { Turn } from '../../../lib/thread-in-turn.ts'
import type { Tx } from '../../../store/change/change.ts'
import { type Asking, askSource, type Outcome } from '../../sources/sources.ts'
import { type Budgets, runningBounds } from '../bounds.ts'
import type { HeldPage } from '../pages/held-content.ts'
import { type FoundLink, type KnownFacts, nothingKnown, type PageFacts } from '../pages/page-facts.ts'
import { isSameSite, readPageUrl } from '../pages/page-urls.rules.ts'
import { runReading, runRobots } from '../pages/run-reading.ts'
import type { ScanReason } from '../reasons.ts'
import type { PageOutcome, PageRole } from '../scanning.table.ts'
import type { Spent } from '../scans/scans.schema.ts'
import { answerOf, type HopAnswer } from './answers.rules.ts'
import { waitForHost } from './host-turns.ts'
import { webPages } from './purpose.ts'
import { findRobots, putRobots, type Robots } from './robots.ts'

/* Requests the pages of one scan one after the other, within its budgets. Stores nothing: `run-scan.ts` stores each page after it is parsed. */

export type Hop = {
  url: string
  status: number | null
  address: string | null
  verdict: 'allowed' | 'denied'
  reason: ScanReason | null
}

export type FetchedPage = {
  url: string
  role: PageRole
  outcome: PageOutcome
  hops: Hop[]
  facts: PageFacts | null
  reasons: ScanReason[]
  retryAt: string | null
  held: Omit<HeldPage, 'position' | 'observedAt'> | null
}

export type Fetching = {
  asking: Asking & { signal: AbortSignal }
  sourceId: string
  businessId: string
  start: URL
  known: KnownFacts
  budgets: Budgets
  /** checks the scan's own conditions in the change of every request */
  prevents: (tx: Tx) => Promise<string | undefined>
  /** `begin` runs before a page is requested, `store` after it was parsed; `false` from `store` ends the scan */
  begin(position: number, page: { url: string; role: PageRole }): Promise<void>
  store(position: number, page: FetchedPage): Promise<boolean>
}

export type Fetched = { reasons: ScanReason[]; spent: Spent }

type Planned = { url: URL; role: PageRole; depth: number }

type Session = Fetching & {
  spent: Spent
  startedAt: number
  /** robots.txt can demand a longer interval */
  intervalMs: number
  addresses: Map<string, string[]>
  requested: Set<string>
}

/** Fetches the start page and the contact and about pages that it links to. Errors: the reason of the signal, and those of `askSource`. */
export async function fetchPages(fetching: Fetching): Promise<Fetched> {
  const session: Session = {
    ...fetching,
    spent: { ms: 0, pages: 0, redirects: 0, wireBytes: 0, decodedBytes: 0, links: 0 },
    startedAt: performance.now(),
    intervalMs: runningBounds.hostIntervalMs,
    addresses: new Map(),
    requested: new Set(),
  }
  const { budgets, spent } = session
  const reasons = new Set<ScanReason>()
  const queue: Planned[] = [{ url: fetching.start, role: 'start', depth: 0 }]
  const planned = new Set([fetching.start.href])
  for (let position = 0; queue.length > 0; position++) {
    const next = queue.shift()
    if (next === undefined) break
    if (position >= budgets.pages) {
      reasons.add('page_limit')
      break
    }
    await fetching.begin(position, { url: next.url.href, role: next.role })
    const { page, links, endsScan } = await fetchOne(session, next)
    spent.pages += 1
    for (const reason of page.reasons) reasons.add(reason)
    const mayGoOn = await fetching.store(position, page)
    if (endsScan || !mayGoOn) break
    if (next.depth >= budgets.depth) continue
    for (const { url: href, role } of links) {
      const url = URL.parse(href)
      if (url === null || planned.has(url.href)) continue
      planned.add(url.href)
      queue.push({ url, role, depth: next.depth + 1 })
    }
  }
  return { reasons: [...reasons], spent }
}

type One = { page: FetchedPage; links: readonly FoundLink[]; endsScan: boolean }

async function fetchOne(session: Session, { url, role }: Planned): Promise<One> {
  const prevented = await robotsPrevent(session, url)
  if (prevented !== undefined) return without(url, role, prevented.hops ?? [], prevented)
  const hops: Hop[] = []
  const answer = await follow(session, url, hops)
  if (answer.kind === 'failed') return without(url, role, hops, answer)
  return read(session, { url, role, hops, answer })
}

function without(
  url: URL,
  role: PageRole,
  hops: Hop[],
  { reason, retryAt, endsScan }: Omit<Extract<HopAnswer, { kind: 'failed' }>, 'kind'>,
): One {
  const outcome = outcomeOf(reason)
  const page = { url: url.href, role, outcome, hops, facts: null, reasons: [reason], retryAt, held: null }
  return { page, links: [], endsScan }
}

function outcomeOf(reason: ScanReason): PageOutcome {
  switch (reason) {
    case 'unsafe_address':
    case 'rebinding':
    case 'peer_mismatch':
      return 'blocked'
    case 'rate_limited':
    case 'crawl_delay':
      return 'deferred'
    case 'access_denied':
      return 'refused'
    case 'interrupted':
      return 'interrupted'
    default:
      return 'not_read'
  }
}

const refused = (reason: ScanReason): HopAnswer => ({ kind: 'failed', reason, retryAt: null, endsScan: false })

/** Sends the request and follows redirects that stay on the site. */
async function follow(session: Session, url: URL, hops: Hop[]): Promise<HopAnswer> {
  const { budgets, spent } = session
  const pageStartedAt = performance.now()
  let wireBytes = 0
  for (let at = url; ; ) {
    if (session.requested.has(at.href)) return refused('redirect_loop')
    session.requested.add(at.href)
    const limits = limitsOf(session, { ms: performance.now() - pageStartedAt, wireBytes })
    if ('reason' in limits) return refused(limits.reason)
    const { answer, trace } = await request(session, at, limits)
    wireBytes += trace?.wireBytes ?? 0
    hops.push(hopOf(at, trace, answer))
    if (answer.kind === 'failed' || answer.page.redirect === null) return answer
    const { target, scope } = answer.page.redirect
    if (scope !== 'same_site') {
      hops.push({ url: target, status: null, address: null, verdict: 'denied', reason: scope })
      return refused(scope)
    }
    const next = readPageUrl(target)
    if (next === undefined || !isSameSite(next.hostname, url.hostname)) return refused('off_site')
    if (hops.length > budgets.redirectsPerPage || spent.redirects >= budgets.redirectsPerScan)
      return refused('redirect_limit')
    spent.redirects += 1
    at = next
  }
}

type Limits = { totalMs: number; wireBytes: number; decodedBytes: number }

/** Returns what the budgets of the scan and of the page leave for one request. */
function limitsOf(
  { budgets, spent, startedAt }: Session,
  page: { ms: number; wireBytes: number },
): Limits | { reason: ScanReason } {
  if (performance.now() - startedAt >= runningBounds.wholeMs) return { reason: 'time_limit' }
  const totalMs = Math.floor(Math.min(budgets.pageMs - page.ms, budgets.scanMs - spent.ms))
  const wireBytes = Math.min(budgets.wireBytesPerPage - page.wireBytes, budgets.wireBytesPerScan - spent.wireBytes)
  const decodedBytes = Math.min(budgets.decodedBytesPerPage, budgets.decodedBytesPerScan - spent.decodedBytes)
  if (totalMs < 1) return { reason: 'time_limit' }
  if (wireBytes < 1) return { reason: 'size_limit' }
  return decodedBytes < 1 ? { reason: 'decoded_limit' } : { totalMs, wireBytes, decodedBytes }
}

async function request(
  session: Session,
  url: URL,
  limits: Limits,
): Promise<{ answer: HopAnswer; trace: WebTrace | undefined }> {
  const { asking, sourceId, businessId, prevents, addresses, spent } = session
  const host = url.hostname
  await waitForHost(host, session.intervalMs, asking.signal)
  const earlierAddresses = addresses.get(host) ?? []
  const startedAt = performance.now()
  const outcome: Outcome<WebPage, WebTrace> = await askSource(asking, {
    sourceId,
    purpose: webPages,
    query: { businessId, url: url.href, earlierAddresses, limits },
    target: host,
    businessId,
    prevents,
    maxAttempts: 1,
  })
  spent.ms += Math.round(performance.now() - startedAt)
  const trace = outcome.traces.at(-1)
  spent.wireBytes += trace?.wireBytes ?? 0
  if (trace?.address != null && trace.verdict === 'allowed')
    addresses.set(host, [...new Set([...earlierAddresses, trace.address])].slice(-MAX_ADDRESSES))
  return { answer: answerOf(outcome), trace }
}

const MAX_ADDRESSES = 64

function hopOf(url: URL, trace: WebTrace | undefined, answer: HopAnswer): Hop {
  return {
    url: url.href,
    status: trace?.status ?? null,
    address: trace?.address ?? null,
    verdict: trace?.verdict ?? 'denied',
    reason: answer.kind === 'failed' ? answer.reason : (answer.reasons[0] ?? null),
  }
}

const readable: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml', 'text/plain'])

type Answered = { url: URL; role: PageRole; hops: Hop[]; answer: Extract<HopAnswer, { kind: 'page' }> }

async function read(session: Session, { url, role, hops, answer }: Answered): Promise<One> {
  const { known, budgets, spent } = session
  const { page } = answer
  const last = URL.parse(hops.at(-1)?.url ?? '') ?? url
  const mediaType = page.contentType?.split(';')[0]?.trim().toLowerCase() ?? null
  const about = {
    status: page.status,
    mediaType,
    bytes: { wire: null, decoded: page.body.length },
    sha256: sha256OfBytes(page.body),
  }
  const unread = { ...about, charset: null, title: null, counts: null, repeats: nothingKnown, words: [] }
  spent.decodedBytes += page.body.length
  const ending = (
    facts: PageFacts,
    reasons: ScanReason[],
    links: readonly FoundLink[],
    opening: string | null = null,
  ): One => ({
    page: {
      url: url.href,
      role,
      outcome: facts.counts === null ? 'not_read' : reasons.some(isCut) ? 'read_in_part' : 'read',
      hops,
      facts,
      reasons,
      retryAt: null,
      held:
        facts.counts === null
          ? null
          : {
              url: last.href,
              role,
              format: mediaType === 'text/plain' ? 'text' : 'html',
              contentType: page.contentType,
              body: page.body,
              isCut: reasons.some(isCut),
              opening,
            },
    },
    links,
    endsScan: false,
  })
  if (mediaType !== null && !readable.has(mediaType)) return ending(unread, answer.reasons, [])
  const startedAt = performance.now()
  const reading = await runReading(turnOf(session), {
    bytes: page.body,
    contentType: page.contentType,
    format: mediaType === 'text/plain' ? 'text' : 'html',
    url: last.href,
    known,
    maxBytes: budgets.decodedBytesPerPage,
    maxLinks: Math.max(0, budgets.links - spent.links),
  })
  spent.ms += Math.round(performance.now() - startedAt)
  if (reading.page === undefined) return ending(unread, [...answer.reasons, reading.reason], [])
  const { charset, title, counts, repeats, words, reasons, links, opening } = reading.page
  spent.links += Math.min(counts?.links ?? 0, budgets.links)
  return ending({ ...about, charset, title, counts, repeats, words }, [...answer.reasons, ...reasons], links, opening)
}

/** Pages of a scan wait in turn, because a job reads them. */
function turnOf({ asking }: Session): Turn {
  return { tenantId: asking.actor.tenantId, isPatient: true }
}

function isCut(reason: ScanReason): boolean {
  return reason !== 'charset_doubtful'
}

/** `hops`: requests of robots.txt in this scan. None if the rules were cached. */
type Prevented = Omit<Extract<HopAnswer, { kind: 'failed' }>, 'kind'> & { hops?: Hop[] }

/** Checks a URL against robots.txt; undefined if it may be requested. A longer Crawl-delay becomes the interval. */
async function robotsPrevent(session: Session, url: URL): Promise<Prevented | undefined> {
  const { asking, intervalMs } = session
  const { tenantId } = asking.actor
  const now = asking.store.clock().getTime()
  let robots = findRobots(asking.store, tenantId, url.origin)
  if (robots === undefined) {
    const hops: Hop[] = []
    const asked = await requestRobots(session, url, hops)
    if ('reason' in asked) return { ...asked, hops }
    robots = asked
    putRobots(asking.store, tenantId, url.origin, robots)
    if (robots.text === null) return { reason: 'robots_unavailable', retryAt: null, endsScan: false, hops }
  }
  if (robots.text === null) return { reason: 'robots_unavailable', retryAt: null, endsScan: false }
  const rules = await runRobots(turnOf(session), {
    robots: robots.text,
    robotsUrl: `${url.origin}/robots.txt`,
    urls: [url.href],
    agent: USER_AGENT_TOKEN,
  })
  if (rules === undefined) return { reason: 'robots_unavailable', retryAt: null, endsScan: false }
  if (rules.allowed[0] !== true) return { reason: 'robots_disallowed', retryAt: null, endsScan: false }
  const delayMs = (rules.crawlDelaySeconds ?? 0) * 1_000
  // The first page needs no wait, so it ignores a long delay. Further pages are deferred.
  if (delayMs > runningBounds.crawlDelayMs && session.spent.pages > 0)
    return { reason: 'crawl_delay', retryAt: new Date(now + delayMs).toISOString(), endsScan: false }
  session.intervalMs = Math.max(intervalMs, Math.min(delayMs, runningBounds.crawlDelayMs))
  return undefined
}

/** Reasons why a host has no address. */
const withoutAddress: ReadonlySet<ScanReason> = new Set<ScanReason>(['dns_failed', 'nxdomain'])

/**
 * A 4xx status allows every URL. A 5xx status, no response, or a redirect off the site disallows every URL. A name without an address is its own
 * reason: the site has no robots.txt that could be unavailable.
 */
async function requestRobots(session: Session, url: URL, hops: Hop[]): Promise<Robots | Prevented> {
  const answer = await follow(session, new URL('/robots.txt', url.origin), hops)
  if (answer.kind === 'failed') return answer.endsScan || withoutAddress.has(answer.reason) ? answer : { text: null }
  const { status, body } = answer.page
  if (status >= 500) return { text: null }
  if (status >= 400) return { text: '' }
  session.spent.decodedBytes += body.length
  return { text: Buffer.from(body.subarray(0, runningBounds.robotsBytes)).toString('utf8') }
}
