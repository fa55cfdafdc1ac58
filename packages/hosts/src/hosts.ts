import { isIPv4, isIPv6 } from 'node:net'

/*
 * The host names under which the API and the web server answer. Only these stop DNS rebinding: a page of another site whose name is
 * pointed at this machine has the same origin as the app, so neither cookies nor CORS nor Fetch Metadata tell the two apart.
 */

/** A name or an address, with or without a port (RFC 9110, 7.2). Percent-encoded names are valid there and never sent by a browser. */
const hostForm = /^(\[[\da-f:.]+\]|[\w.-]{1,253})(?::(\d{0,5}))?$/i
const MAX_PORT = 65_535

/** The sentence after the name of the setting, where its value is wrong. */
export const PUBLIC_HOSTS_FORM =
  'lists names or addresses without scheme or path, such as prospects.example.com or [fd00::1], with commas between.'

/** Unknown names that one process logs; further ones are refused without a line, so that nobody fills the log with names. */
export const MAX_REPORTED_HOSTS = 100

/** The name in a `Host`, in lower case and without its port. Undefined where the text names no host. */
export function hostName(host: string): string | undefined {
  const [, name = '', port = ''] = hostForm.exec(host) ?? []
  const isName = name.startsWith('[') ? isIPv6(name.slice(1, -1)) : name !== ''
  return isName && Number(port) <= MAX_PORT ? name.toLowerCase() : undefined
}

/** The name in an `Origin`. Undefined for an opaque origin, another scheme, and text that is no origin. */
export function originName(origin: string): string | undefined {
  const url = URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === origin ? hostName(url.host) : undefined
}

/** Reads `PUBLIC_HOSTS`: the names as browsers send them, without ports. Undefined where an entry is no name (`PUBLIC_HOSTS_FORM`). */
export function readPublicHosts(list: string): string[] | undefined {
  const entries = list.split(',').map((entry) => entry.trim())
  const names = entries.filter((entry) => entry !== '').map(publicName)
  return names.every((name) => name !== undefined) ? names : undefined
}

function publicName(entry: string): string | undefined {
  const url = URL.parse(`http://${entry}`)
  return url !== null && url.href === `http://${url.host}/` ? hostName(url.host) : undefined
}

/** What a request says of its host, as Fastify has it. */
type Asked = {
  raw: { rawHeaders: string[]; url?: string | undefined }
  /** its `Host`, or what a trusted proxy forwards */
  host: string
}

/** The one valid `Host` among raw headers, as it was sent. Undefined where there is none, a second one, or one that names no host. */
export function singleHost(rawHeaders: readonly string[]): string | undefined {
  let found: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'host') continue
    if (found !== undefined) return undefined
    found = rawHeaders[at + 1]
  }
  return found !== undefined && hostName(found) !== undefined ? found : undefined
}

/** Why a request is refused: 400 for `no_single_host`, 421 for `unexpected_host`. */
export type HostRefusal = 'no_single_host' | 'unexpected_host'

export type ExpectedHosts = {
  /** Whether the servers answer under this name, which is in lower case and without a port. */
  expects(name: string): boolean
  /** Logs once that a name is missing from `PUBLIC_HOSTS`, with the setting that adds it. */
  report(name: string): void
  /** Why a request must not be answered, undefined where it may; reports a name that is missing. With `anyHost` each valid name may. */
  refusalOf(request: Asked, options?: { anyHost?: boolean | undefined }): HostRefusal | undefined
}

/** The names of `PUBLIC_HOSTS` and the loopback names. `warn` writes a line to the log. */
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

/** The host of a target that is a whole URL: it counts before the `Host` (RFC 9112, 3.2.2). */
function targetHost(target = '/'): string[] {
  if (target.startsWith('/') || target === '*') return []
  return [URL.parse(target)?.host ?? '']
}
