/** The HSTS header. In production a TLS proxy serves this host and its subdomains. */
const TWO_YEARS_OF_TLS = 'max-age=63072000; includeSubDomains'

/**
 * Content security policy of API responses. They are data and never pages, so nothing in them may load, run or be framed. The reference page has its
 * own policy.
 */
const NO_PAGE = "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export type AnswerHeaders = (requestId: string) => Record<string, string>

/**
 * Returns a function that builds the headers of every response, including errors of the router and responses to requests that Node cannot parse. The
 * headers contain the request id and forbid caching, framing and content sniffing.
 */
export function answerHeaders({ isProduction }: { isProduction: boolean }): AnswerHeaders {
  const common = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': NO_PAGE,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    ...(isProduction ? { 'strict-transport-security': TWO_YEARS_OF_TLS } : {}),
  }
  return (requestId) => ({ 'x-request-id': requestId, ...common })
}
