import type { NoSettings, Transport } from '@prospect/adapter-contract/adapter'
import type { WebPage, WebQuery, WebTrace } from '@prospect/adapter-contract/web-page'
import { dial } from './dial.ts'
import { fetchPage } from './fetch-page.ts'
import type { NameServer } from './resolve-host.ts'

/**
 * Creates a transport with the real `dial` and Node's own certificate authorities. Neither is a parameter, so that only tests of `fetchPage` can
 * replace them.
 */
export function createTransport(means: {
  nameServers: readonly NameServer[]
  userAgent: string
}): Transport<WebQuery, NoSettings, WebPage, WebTrace> {
  return { request: (input) => fetchPage(input, { ...means, dial, ca: undefined }) }
}
