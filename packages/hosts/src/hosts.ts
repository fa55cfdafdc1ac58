import { isIPv4, isIPv6 } from 'node:net'

/*
 * The host names to which the API and the web server respond. This check is the only protection against DNS rebinding: if another site's name
 * resolves to this machine, a page of that site has the same origin as the app, so cookies, CORS and Fetch Metadata cannot tell them apart.
 */

/**
 * Matches a name or an address, with or without a port (RFC 9110, 7.2). Percent-encoded names are valid in HTTP but rejected here, because browsers
 * never send them.
 */
const hostForm = /^(\[[\da-f:.]+\]|[\w.-]{1,253})(?::(\d{0,5}))?$/i
const MAX_PORT = 65_535

/** Description of the valid form, appended to the setting's name in the error for a wrong value. */
export const PUBLIC_HOSTS_FORM =
  'lists names or addresses without scheme or path, such as prospects.example.com or [fd00::1], with commas between.'

/**
 * Maximum number of unknown names that one process logs. Requests with further unknown names are rejected without a log line, so that nobody can fill
 * the log.
 */
export const MAX_REPORTED_HOSTS = 100

/** Returns the name in a `Host` header, in lower case and without its port; undefined if the text contains no valid host. */
export function hostName(host: string): string | undefined {
  const [, name = '', port = ''] = hostForm.exec(host) ?? []
  const isName = name.startsWith('[') ? isIPv6(name.slice(1, -1)) : name !== ''
  return isName && Number(port) <= MAX_PORT ? name.toLowerCase() : undefined
}

/** Returns the name in an `Origin` header; undefined for an opaque origin, a scheme other than HTTP, and text that is not an origin. */
export function originName(origin: string): string | undefined {
  const url = URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === origin ? hostName(url.host) : undefined
}

/** Parses `PUBLIC_HOSTS` into names as browsers send them, without ports; undefined if an entry is not a valid name (`PUBLIC_HOSTS_FORM`). */
export function readPublicHosts(list: string): string[] | undefined {
  const entries = list.split(',').map((entry) => entry.trim())
  const names = entries.filter((entry) => entry !== '').map(publicName)
  return names.every((name) => name !== undefined) ? names : undefined
}

function publicName(entry: string): string | undefined {
  const url = URL.parse(`http://${entry}`)
  return url !== null && url.href === `http://${url.host}/` ? hostName(url.host) : undefined
}

/** The parts of a Fastify request from which its host is determined. */
type Asked = {
  raw: { rawHeaders: string[]; url?: string | undefined }
  /** `Host` header, or the host that a trusted proxy forwards */
  host: string
}

/** Returns the `Host` header among raw headers as sent; undefined if there is none, more than one, or one without a valid host. */
export function singleHost(rawHeaders: readonly string[]): string | undefined {
  let found: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'host') continue
    if (found !== undefined) return undefined
    found = rawHeaders[at + 1]
  }
  return found !== undefined && hostName(found) !== undefined ? found : undefined
}

/** Reason for which a request is rejected: 400 for `no_single_host`, 421 for `unexpected_host`. */
export type HostRefusal = 'no_single_host' | 'unexpected_host'

export type ExpectedHosts = {
  /** returns true if the servers respond to this name, which must be in lower case and without a port */
  expects(name: string): boolean
  /** logs, once per name, that the name is missing from `PUBLIC_HOSTS` */
  report(name: string): void
  /**
   * returns the reason for which a request is rejected, and reports a missing name; undefined if the request is allowed; with `anyHost` every valid
   * name is allowed
   */
  refusalOf(request: Asked, options?: { anyHost?: boolean | undefined }): HostRefusal | undefined
}

/** Accepts the names of `PUBLIC_HOSTS` and the loopback names. `warn` writes a line to the log. */
export function expectedHosts(
  publicHosts: readonly string[],
  warn: (details: { host: string }, sentence: string) => void,
): ExpectedHosts {
  const names = new Set(publicHosts)
  const reported = new Set<string>()
  const expects = (name: string) => isLoopback(name) || names.has(name)
  const report = (name: string) => {
    if (reported.has(name) || reported.size >= MAX_REPORTED_HOSTS) return
    reported.add(name)
    const setting = [...[...names].filter((known) => !isLoopback(known)), name].join(',')
    warn({ host: name }, `${name} is no expected host. To answer under this name, set PUBLIC_HOSTS=${setting}`)
  }
  return {
    expects,
    report,
    refusalOf: (request, { anyHost = false } = {}) => {
      const sent = singleHost(request.raw.rawHeaders)
      if (sent === undefined) return 'no_single_host'
      for (const host of [sent, request.host, ...targetHost(request.raw.url)]) {
        const name = hostName(host)
        if (name === undefined) return 'no_single_host'
        if (anyHost || expects(name)) continue
        report(name)
        return 'unexpected_host'
      }
      return undefined
    },
  }
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (name.startsWith('127.') && isIPv4(name))
}

/** Returns the host of a request target that is a complete URL. It has precedence over the `Host` header (RFC 9112, 3.2.2). */
function targetHost(target = '/'): string[] {
  if (target.startsWith('/') || target === '*') return []
  return [URL.parse(target)?.host ?? '']
}
