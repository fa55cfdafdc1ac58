/** In production there is TLS in front, for this host and those below it. */
const TWO_YEARS_OF_TLS = 'max-age=63072000; includeSubDomains'

/** An answer of the API is data and never a page: nothing in it is loaded, run or framed. The reference page has a policy of its own. */
const NO_PAGE = "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export type AnswerHeaders = (requestId: string) => Record<string, string>

/**
 * What every answer bears, whoever gives it: a route, the router, or what stands in for a request that Node cannot read. The request's id,
 * and that it is not to be kept, framed or taken for another kind of content.
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
