import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute, join } from 'node:path'
import { PUBLIC_HOSTS_FORM, readPublicHosts } from '@prospect/hosts'
import { z } from 'zod'
import { inDigits } from './lib/digits.ts'
import { fingerprint } from './lib/hashing.ts'

/**
 * Settings from the environment, which is read once. They contain all limits that an operator can set; other limits are constants in the file of the
 * code that they limit.
 */
export type Config = {
  environment: 'local' | 'production'
  dataDir: string
  /** folder of the backups, which the command line writes and the API only reads */
  backupDir: string
  host: string
  port: number
  /** public host names, in addition to those of loopback; pages of these hosts may send changes */
  publicHosts: string[]
  trustProxy: string[]
  logLevel: (typeof logLevels)[number]
  sessionIdleMinutes: number
  sessionAbsoluteHours: number
  /** parameters of a password hash (argon2id) */
  passwordCost: { memoryKib: number; passes: number; lanes: number }
  /** size of the largest CSV file that a preview accepts */
  csvMaxBytes: number
  /** number of days for which a job's events are kept after the job has ended */
  jobEventsKeepDays: number
  /** path of the ES module that lists the operator's adapters; undefined if none is loaded */
  adaptersFile: string | undefined
  bootstrap: { email: string; password: string } | undefined
  /** the company's OpenID provider, by which people may sign in; undefined if they cannot */
  companySignIn: CompanySettings | undefined
  /** address on which Prometheus metrics are served; undefined if they are not served */
  metrics: { host: string; port: number } | undefined
  build: Build
}

/** An OpenID provider, and the public keys that the operator supplies in a file. The product sends no request to the provider; only browsers do. */
export type CompanySettings = {
  /** what the button of the sign-in page calls the provider */
  name: string
  issuer: string
  clientId: string
  authorizationEndpoint: string
  jwksFile: string
  /** age of the file at which the probe warns */
  jwksMaxAgeDays: number
  algorithms: readonly SignatureAlgorithm[]
  /** values of the claims `amr` and `acr` that mean that the provider checked a second factor */
  trustedAmr: readonly string[]
  trustedAcr: readonly string[]
}

/** Algorithms of ID tokens that an operator can accept. HMAC is not among them, because its key would be a secret that the provider shares. */
const signatureAlgorithms = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'] as const),
] as const
type SignatureAlgorithm = (typeof signatureAlgorithms)[number]

/** The running build: source revision, image and settings. */
export type Build = {
  revision: string | null
  imageDigest: string | null
  /** hash that changes with every setting except secrets */
  configurationRevision: string
}

export class ConfigError extends Error {}

/** Returns the schema of a whole number that is written in plain digits. */
export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}.`
  return inDigits(z.int({ error }).min(min, { error }).max(max, { error }))
}

/** Number of hash digits shown, which is enough to distinguish two configurations. */
const SHOWN_HASH_LENGTH = 16

const port = wholeNumber(1, 65_535)

/** Names of networks that Fastify understands. The stack uses `uniquelocal` for its containers. */
const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal'])

const commaList = z.string().transform((list) =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
)

const trustedProxies = commaList.refine((peers) => peers.every(isPeer), {
  error: `lists addresses or networks, such as 10.0.0.2 or 10.0.0.0/24, or ${[...namedNetworks].join(', ')}, separated by commas.`,
})

function isPeer(peer: string): boolean {
  if (namedNetworks.has(peer)) return true
  const [address = '', bits, ...rest] = peer.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || wholeNumber(1, family === 6 ? 128 : 32).safeParse(bits).success
}

const publicHosts = z.string().transform((list, context) => {
  const names = readPublicHosts(list)
  if (names === undefined) context.addIssue({ code: 'custom', message: PUBLIC_HOSTS_FORM })
  return names ?? []
})

/** Address of the provider. Only loopback may lack TLS, because a changed address or answer would let somebody else sign in. */
const providerUrl = z.string().refine(isProviderUrl, {
  error: 'must be an https address without a fragment. Only an address of this machine may be http.',
})

function isProviderUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, hash, username, password } = new URL(text)
  if (hash !== '' || username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const environmentSchema = z.object({
  AUTOMATED_OUTREACH_ENABLED: z
    .literal('false', { error: 'must be false: this product never contacts anybody.' })
    .default('false'),
  PROSPECT_ENV: z.enum(['local', 'production'], { error: 'must be local or production.' }).default('local'),
  DATA_DIR: z.string().min(1, { error: 'must name a folder.' }).default('data'),
  BACKUP_DIR: z.string().optional(),
  API_HOST: z.string().min(1).default('127.0.0.1'),
  API_PORT: port.default(8000),
  PUBLIC_HOSTS: publicHosts.default([]),
  TRUST_PROXY: trustedProxies.default([]),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}.` }).default('info'),
  SESSION_IDLE_MINUTES: wholeNumber(5, 1_440).default(480),
  SESSION_ABSOLUTE_HOURS: wholeNumber(1, 720).default(168),
  PASSWORD_MEMORY_KIB: wholeNumber(19_456, 1_048_576).default(19_456),
  PASSWORD_PASSES: wholeNumber(2, 20).default(2),
  PASSWORD_LANES: wholeNumber(1, 16).default(1),
  CSV_MAX_MEGABYTES: wholeNumber(1, 2_000).default(100),
  JOB_EVENTS_KEEP_DAYS: wholeNumber(1, 3_650).default(90),
  ADAPTERS_FILE: z.string().refine(isAbsolute, { error: 'must be an absolute path.' }).optional(),
  OIDC_NAME: z.string().trim().max(40, { error: 'has at most 40 characters.' }).default('your company account'),
  OIDC_ISSUER: providerUrl.optional(),
  OIDC_CLIENT_ID: z.string().max(255, { error: 'has at most 255 characters.' }).optional(),
  OIDC_AUTHORIZATION_ENDPOINT: providerUrl.optional(),
  OIDC_JWKS_FILE: z.string().refine(isAbsolute, { error: 'must be an absolute path.' }).optional(),
  OIDC_JWKS_MAX_AGE_DAYS: wholeNumber(1, 366).default(7),
  OIDC_ALGORITHMS: commaList
    .pipe(
      z
        .array(z.enum(signatureAlgorithms, { error: `lists algorithms among ${signatureAlgorithms.join(', ')}.` }))
        .min(1, { error: 'must name an algorithm.' }),
    )
    .default(['RS256']),
  OIDC_TRUSTED_AMR: commaList.default([]),
  OIDC_TRUSTED_ACR: commaList.default([]),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  PROSPECT_REVISION: z.string().max(100).optional(),
  IMAGE_DIGEST: z.string().max(100).optional(),
  BOOTSTRAP_ADMIN_EMAIL: z.string().optional(),
  BOOTSTRAP_ADMIN_PASSWORD: z.string().optional(),
})

/** Parses the environment. Throws one ConfigError that names every wrong variable and no secret value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = environmentSchema.safeParse(
    withSecretFiles(environment, ['BOOTSTRAP_ADMIN_EMAIL', 'BOOTSTRAP_ADMIN_PASSWORD']),
  )
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(' '))
  }
  const values = parsed.data
  const config = {
    environment: values.PROSPECT_ENV,
    dataDir: values.DATA_DIR,
    backupDir: values.BACKUP_DIR ?? join(values.DATA_DIR, 'backups'),
    host: values.API_HOST,
    port: values.API_PORT,
    publicHosts: values.PUBLIC_HOSTS,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    sessionIdleMinutes: values.SESSION_IDLE_MINUTES,
    sessionAbsoluteHours: values.SESSION_ABSOLUTE_HOURS,
    passwordCost: {
      memoryKib: values.PASSWORD_MEMORY_KIB,
      passes: values.PASSWORD_PASSES,
      lanes: values.PASSWORD_LANES,
    },
    csvMaxBytes: values.CSV_MAX_MEGABYTES * 1_000_000,
    jobEventsKeepDays: values.JOB_EVENTS_KEEP_DAYS,
    adaptersFile: values.ADAPTERS_FILE,
    companySignIn: companySignInOf(values),
    metrics: values.METRICS_PORT === undefined ? undefined : { host: values.METRICS_HOST, port: values.METRICS_PORT },
  }
  return {
    ...config,
    bootstrap: bootstrapOf(values.BOOTSTRAP_ADMIN_EMAIL, values.BOOTSTRAP_ADMIN_PASSWORD),
    build: {
      revision: values.PROSPECT_REVISION ?? null,
      imageDigest: values.IMAGE_DIGEST ?? null,
      configurationRevision: fingerprint({
        ...config,
        adaptersFile: config.adaptersFile ?? null,
        companySignIn: config.companySignIn ?? null,
        metrics: config.metrics ?? null,
      }).slice(0, SHOWN_HASH_LENGTH),
    },
  }
}

/** Returns the provider of company sign-in; undefined if none of its required variables is set. */
function companySignInOf(values: z.output<typeof environmentSchema>): Config['companySignIn'] {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_AUTHORIZATION_ENDPOINT: authorizationEndpoint,
    OIDC_JWKS_FILE: jwksFile,
  } = values
  if ([issuer, clientId, authorizationEndpoint, jwksFile].every((value) => value === undefined)) return undefined
  if (!issuer || !clientId || !authorizationEndpoint || !jwksFile) {
    throw new ConfigError(
      'Set all of OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_AUTHORIZATION_ENDPOINT and OIDC_JWKS_FILE, or none.',
    )
  }
  return {
    name: values.OIDC_NAME,
    issuer,
    clientId,
    authorizationEndpoint,
    jwksFile,
    jwksMaxAgeDays: values.OIDC_JWKS_MAX_AGE_DAYS,
    algorithms: values.OIDC_ALGORITHMS,
    trustedAmr: values.OIDC_TRUSTED_AMR,
    trustedAcr: values.OIDC_TRUSTED_ACR,
  }
}

/** Returns the first administrator's credentials. An empty variable counts as absent, because the stack passes unset variables as empty. */
function bootstrapOf(email = '', password = ''): Config['bootstrap'] {
  if (email === '' && password === '') return undefined
  if (email === '' || password === '') {
    throw new ConfigError('Set both BOOTSTRAP_ADMIN_EMAIL and BOOTSTRAP_ADMIN_PASSWORD, or neither.')
  }
  return { email, password }
}

/**
 * Returns the environment with secrets from files: `<NAME>_FILE` is the path of a file that contains the secret `<NAME>`. Setting both variables is
 * an error.
 */
function withSecretFiles(environment: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  for (const name of names) {
    const file = values[`${name}_FILE`]
    if (file === undefined) continue
    if (values[name] !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set; remove one.`)
    values[name] = readSecret(name, file)
  }
  return values
}

function readSecret(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read.`, { cause })
  }
}
