import { isIP } from 'node:net'
import { PUBLIC_HOSTS_FORM, readPublicHosts } from '@prospect/hosts'

export type WebConfig = {
  host: string
  port: number
  apiUrl: string
  /** Host names besides loopback under which the server responds. */
  publicHosts: string[]
  /** Addresses or networks of proxies whose X-Forwarded-* headers are trusted. */
  trustedProxies: string[]
  logLevel: LogLevel
}

/** Named networks of Fastify. The API accepts the same names, because `script/start` passes the same list to both. */
const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal'])

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

/** Invalid configuration. The message is a sentence for the operator. */
export class ConfigRefused extends Error {}

/** Parses the environment. Empty values count as unset. Throws ConfigRefused with the problem and its solution. */
export function readConfig(env: Record<string, string | undefined>): WebConfig {
  return {
    host: env.WEB_HOST || '127.0.0.1',
    port: readPort(env.WEB_PORT || '8080'),
    apiUrl: readApiUrl(env.API_URL || 'http://127.0.0.1:8000'),
    publicHosts: readHosts(env.PUBLIC_HOSTS || ''),
    trustedProxies: readTrustedProxies(env.TRUST_PROXY || ''),
    logLevel: readLogLevel(env.LOG_LEVEL || 'info'),
  }
}

function readPort(value: string): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port < 1 || port > 65_535) {
    throw new ConfigRefused(`WEB_PORT is "${value}". Set it to a port from 1 to 65535, or leave it out for 8080.`)
  }
  return port
}

function readApiUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ConfigRefused(`API_URL is "${value}". Set it to the API's address, such as http://127.0.0.1:8000.`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/') {
    throw new ConfigRefused('API_URL must be only a scheme, a host and a port, such as http://127.0.0.1:8000.')
  }
  return url.origin
}

function readHosts(value: string): string[] {
  const names = readPublicHosts(value)
  if (names === undefined) throw new ConfigRefused(`PUBLIC_HOSTS is "${value}". It ${PUBLIC_HOSTS_FORM}`)
  return names
}

function readTrustedProxies(value: string): string[] {
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  for (const entry of entries) {
    if (namedNetworks.has(entry)) continue
    const [address = '', bits, ...rest] = entry.split('/')
    const family = isIP(address)
    const most = family === 6 ? 128 : 32
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most)
    if (family === 0 || !isRange || rest.length > 0) {
      throw new ConfigRefused(
        `TRUST_PROXY holds "${entry}". List addresses or networks, such as 10.0.0.2 or 10.0.0.0/24, or ${[...namedNetworks].join(', ')}, with commas between.`,
      )
    }
  }
  return entries
}

function readLogLevel(value: string): LogLevel {
  const level = logLevels.find((candidate) => candidate === value)
  if (level === undefined) throw new ConfigRefused(`LOG_LEVEL is "${value}". Set it to one of ${logLevels.join(', ')}.`)
  return level
}
