import { promises } from 'node:dns'
import { isIP } from 'node:net'
import { webLimits } from '@prospect/adapter-contract/web-page'
import { codeOf, Stopped } from '@prospect/http-exchange/stopped'

export type NameServer = { address: string; port: number }

/** DNS error codes: the name has no address of the queried family, or does not exist. */
const NO_NAME = 'ENOTFOUND'
const absent = new Set(['ENODATA', NO_NAME])
/** Error codes of Node's resolver: its own time limit ended, or it was cancelled at ours. */
const silent = new Set(['ETIMEOUT', 'ECANCELLED'])
/** DNS error codes: the name server failed or refused to answer. */
const refused = new Set(['ESERVFAIL', 'EREFUSED', 'EFORMERR', 'ENOTIMP', 'EBADRESP'])

/**
 * Returns all IPv4 and IPv6 addresses of a name, queried from the name servers each time: no hosts file, no search domain, no cache. Errors:
 * `nxdomain` if the name does not exist; `dns_failed` if there is no address, or if one of the two queries fails, because an unknown address may be
 * unsafe; with the cause `timeout` if the name servers are silent.
 */
export async function resolveHost(
  host: string,
  nameServers: readonly NameServer[],
  signal: AbortSignal,
): Promise<string[]> {
  const resolver = new promises.Resolver({ timeout: webLimits.resolveMs, tries: 1 })
  if (nameServers.length > 0) resolver.setServers(nameServers.map(serverText))
  const cancel = () => resolver.cancel()
  const timer = setTimeout(cancel, webLimits.resolveMs)
  signal.addEventListener('abort', cancel)
  try {
    const answers = await Promise.all([resolver.resolve4(host), resolver.resolve6(host)].map(orNone))
    const found = answers.flatMap(({ addresses }) => addresses)
    if (found.length > 0) return found
    throw new Stopped(answers.some(({ exists }) => !exists) ? 'nxdomain' : 'dns_failed')
  } catch (error) {
    if (error instanceof Stopped) throw error
    if (silent.has(codeOf(error))) throw new Stopped('dns_failed', 'transport', 'timeout')
    throw new Stopped('dns_failed', refused.has(codeOf(error)) ? 'target' : 'transport')
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

type Addresses = { addresses: string[]; exists: boolean }

async function orNone(question: Promise<string[]>): Promise<Addresses> {
  try {
    return { addresses: await question, exists: true }
  } catch (error) {
    if (absent.has(codeOf(error))) return { addresses: [], exists: codeOf(error) !== NO_NAME }
    throw error
  }
}

function serverText({ address, port }: NameServer): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
}
