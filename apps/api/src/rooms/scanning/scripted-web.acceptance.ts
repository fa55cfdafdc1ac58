import {
  type Adapter,
  type NoSettings,
  noSettingsSchema,
  type TransportResult,
} from '@prospect/adapter-contract/adapter'
import { ADDRESS_POLICY_VERSION } from '@prospect/adapter-contract/addresses'
import {
  DNS_POLICY_VERSION,
  type WebPage,
  type WebQuery,
  type WebTrace,
  webPageDeclaration,
  webQuerySchema,
} from '@prospect/adapter-contract/web-page'

type Result = TransportResult<WebQuery, WebPage, WebTrace>
/** The response for a URL: HTML, a page, or a complete result. */
export type Answer =
  | string
  | Partial<WebPage>
  | { result: Partial<Result> & Pick<Result, 'outcome'>; trace?: Partial<WebTrace> }
type Script = (url: string) => Answer | undefined | Promise<Answer | undefined>

/** A web adapter without a network. It responds by URL, with 404 for an unknown URL, and records its requests. */
export function webAdapter(script: Script) {
  const requests: WebQuery[] = []
  const adapter: Adapter<WebQuery, NoSettings> = {
    id: 'fixture',
    version: '1.0.0',
    answersFrom: 'varying_targets',
    declaration: { ...webPageDeclaration, minRecords: 1, settings: [] },
    querySchema: webQuerySchema,
    settingsSchema: noSettingsSchema,
    plan: ({ query: { url, limits } }) => ({
      kind: 'planned',
      requests: [{ summary: `GET ${url}`, content: null }],
      maxRequests: 1,
      maxBytes: limits.wireBytes,
      maxDurationMs: limits.totalMs,
      maxRecords: 1,
      fields: ['status', 'content_type', 'body'],
    }),
    load: async () => ({
      request: async ({ query }) => {
        requests.push(query)
        return resultOf(query.url, (await script(query.url)) ?? { status: 404 })
      },
    }),
  }
  return { adapter, requests, urls: () => requests.map(({ url }) => url) }
}

function resultOf(url: string, answer: Answer): Result {
  const trace: WebTrace = {
    url,
    status: 200,
    address: '196.10.100.1',
    verdict: 'allowed',
    reason: null,
    wireBytes: 500,
    addressPolicyVersion: ADDRESS_POLICY_VERSION,
    dnsPolicyVersion: DNS_POLICY_VERSION,
  }
  if (typeof answer === 'object' && 'result' in answer) {
    const ending = { trace: { ...trace, status: null, ...answer.trace }, bytesReceived: 500 }
    return { ...ending, ...answer.result } as Result
  }
  const part = typeof answer === 'string' ? { body: Buffer.from(answer) } : answer
  const page: WebPage = {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: new Uint8Array(),
    redirect: null,
    endedBy: null,
    ...part,
  }
  return {
    outcome: 'answered',
    records: [{ ...page, body: new Uint8Array(page.body) }],
    isComplete: page.endedBy === null,
    next: null,
    trace: { ...trace, status: page.status, reason: page.endedBy },
    bytesReceived: 500,
  }
}

export const redirectTo = (target: string, scope: 'same_site' | 'off_site' | 'downgrade' = 'same_site') => ({
  status: 301,
  redirect: { target, scope },
})

export const failed = (reason: NonNullable<WebTrace['reason']>, trace: Partial<WebTrace> = {}): Answer => ({
  result: { outcome: 'unavailable', cause: 'connection_failed', fault: 'target' },
  trace: { reason, ...trace },
})

/** A contract for this adapter, without the terms. */
export const webContract = {
  purposes: ['web_pages'],
  scope: { fields: ['status', 'content_type', 'body'], provinces: [], maxRecords: 10 },
  rate: { perMinute: 600, perDay: 10_000 },
  concurrency: 8,
  timeoutMs: 15_000,
  maxBytes: 5_000_000,
  retry: { maxAttempts: 3 },
  settings: {},
}
