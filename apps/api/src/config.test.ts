import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../test/template-store.ts'
import { ConfigError, readConfig } from './config.ts'

const EMAIL = 'first@example.com'
const PASSWORD = 'four small words here'

/** Returns the message of the error with which this environment is rejected. */
function refusal(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('This environment was accepted.')
}

test('an empty environment is a local service that listens on this machine only', () => {
  expect(readConfig({})).toEqual({
    environment: 'local',
    dataDir: 'data',
    backupDir: 'data/backups',
    host: '127.0.0.1',
    port: 8000,
    publicHosts: [],
    trustProxy: [],
    logLevel: 'info',
    sessionIdleMinutes: 480,
    sessionAbsoluteHours: 168,
    passwordCost: { memoryKib: 19_456, passes: 2, lanes: 1 },
    csvMaxBytes: 100_000_000,
    jobEventsKeepDays: 90,
    adaptersFile: undefined,
    companySignIn: undefined,
    bootstrap: undefined,
    metrics: undefined,
    build: { revision: null, imageDigest: null, configurationRevision: expect.stringMatching(/^[0-9a-f]{16}$/) },
  })
})

describe('the cost of a password', () => {
  test('can be raised, and never falls below the safe minimum', () => {
    const raised = { PASSWORD_MEMORY_KIB: '65536', PASSWORD_PASSES: '3', PASSWORD_LANES: '2' }
    expect(readConfig(raised).passwordCost).toEqual({ memoryKib: 65_536, passes: 3, lanes: 2 })
    expect(refusal({ PASSWORD_MEMORY_KIB: '1024' })).toContain('PASSWORD_MEMORY_KIB')
    expect(refusal({ PASSWORD_PASSES: '1' })).toContain('PASSWORD_PASSES')
  })
})

describe('automated outreach', () => {
  test.each(['true', 'TRUE', '1', 'yes', 'False', ' false', 'off'])('"%s" stops the start', (value) => {
    expect(refusal({ AUTOMATED_OUTREACH_ENABLED: value })).toMatch(/^AUTOMATED_OUTREACH_ENABLED must be false/)
  })

  test.each(['false', ''])('"%s" is off', (value) => {
    expect(readConfig({ AUTOMATED_OUTREACH_ENABLED: value })).toMatchObject({ environment: 'local' })
  })
})

describe('a value out of bounds', () => {
  test.each([
    ['PROSPECT_ENV', 'staging'],
    ['API_PORT', '0'],
    ['API_PORT', '65536'],
    ['API_PORT', 'http'],
    ['LOG_LEVEL', 'loud'],
    ['SESSION_IDLE_MINUTES', '4'],
    ['SESSION_ABSOLUTE_HOURS', '721'],
    ['SESSION_IDLE_MINUTES', '7.5'],
    ['API_PORT', '0x1f90'],
    ['API_PORT', '8e3'],
    ['API_PORT', ' 8000'],
    ['API_PORT', '+8000'],
    ['CSV_MAX_MEGABYTES', '1e2'],
    ['ADAPTERS_FILE', 'adapters.mjs'],
    ['ADAPTERS_FILE', './adapters.mjs'],
    ['TRUST_PROXY', 'everyone'],
    ['TRUST_PROXY', '127.0.0.1, 10.0.0.0/40'],
    ['TRUST_PROXY', '10.0.0.0/0x8'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['TRUST_PROXY', '::/0'],
    ['PUBLIC_HOSTS', 'https://prospects.example'],
    ['PUBLIC_HOSTS', '*.example'],
  ])('%s=%s stops the start and is named', (name, value) => {
    expect(refusal({ [name]: value })).toContain(name)
  })

  test('is reported together with every other error', () => {
    const sentence = refusal({ API_PORT: 'http', LOG_LEVEL: 'loud', AUTOMATED_OUTREACH_ENABLED: 'true' })
    for (const name of ['API_PORT', 'LOG_LEVEL', 'AUTOMATED_OUTREACH_ENABLED']) expect(sentence).toContain(name)
  })
})

test('trusted proxies are a list', () => {
  expect(readConfig({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8 ,' }).trustProxy).toEqual(['127.0.0.1', '10.0.0.0/8'])
  expect(readConfig({ TRUST_PROXY: 'uniquelocal,fd00::/8' }).trustProxy).toEqual(['uniquelocal', 'fd00::/8'])
})

test('public hosts are a list of names; ports are ignored', () => {
  expect(readConfig({ PUBLIC_HOSTS: 'api,web,' }).publicHosts).toEqual(['api', 'web'])
  expect(readConfig({ PUBLIC_HOSTS: 'Prospects.Example:8443' }).publicHosts).toEqual(['prospects.example'])
})

describe('the first administrator', () => {
  test('is taken from both variables', () => {
    const environment = { BOOTSTRAP_ADMIN_EMAIL: EMAIL, BOOTSTRAP_ADMIN_PASSWORD: PASSWORD }
    expect(readConfig(environment).bootstrap).toEqual({ email: EMAIL, password: PASSWORD })
  })

  test('is not created when both variables are empty, as a container stack passes them', () => {
    expect(readConfig({ BOOTSTRAP_ADMIN_EMAIL: '', BOOTSTRAP_ADMIN_PASSWORD: '' }).bootstrap).toBeUndefined()
  })

  test.each([
    ['only an address', { BOOTSTRAP_ADMIN_EMAIL: EMAIL }],
    ['only a password', { BOOTSTRAP_ADMIN_PASSWORD: PASSWORD }],
    ['an empty password', { BOOTSTRAP_ADMIN_EMAIL: EMAIL, BOOTSTRAP_ADMIN_PASSWORD: '' }],
  ])('with %s stops the start; the message contains no value', (_what, environment) => {
    const sentence = refusal(environment)
    expect(sentence).toContain(', or neither')
    expect(sentence).not.toContain(EMAIL)
    expect(sentence).not.toContain(PASSWORD)
  })

  test('is read from secret files, without the final line end', () => {
    const file = join(temporaryFolder(), 'password')
    writeFileSync(file, `${PASSWORD}\n`)
    const environment = { BOOTSTRAP_ADMIN_EMAIL: EMAIL, BOOTSTRAP_ADMIN_PASSWORD_FILE: file }
    expect(readConfig(environment).bootstrap?.password).toBe(PASSWORD)
  })

  test('is refused when a file cannot be read, or when a variable and its file are both set', () => {
    const missing = { BOOTSTRAP_ADMIN_EMAIL: EMAIL, BOOTSTRAP_ADMIN_PASSWORD_FILE: '/nowhere/at/all' }
    expect(refusal(missing)).toContain('/nowhere/at/all')
    const twice = { ...missing, BOOTSTRAP_ADMIN_PASSWORD: PASSWORD }
    expect(refusal(twice)).toMatch(/both set/)
    expect(refusal(twice)).not.toContain(PASSWORD)
  })
})

test('the configuration revision changes with every setting except secrets, and reveals no value', () => {
  const revisionOf = (environment: Record<string, string>) => readConfig(environment).build.configurationRevision
  const plain = revisionOf({})
  expect(revisionOf({ BOOTSTRAP_ADMIN_EMAIL: 'a@b.example', BOOTSTRAP_ADMIN_PASSWORD: 'four small words here' })).toBe(
    plain,
  )
  expect(revisionOf({ IMAGE_DIGEST: 'sha256:abc', PROSPECT_REVISION: 'abc' })).toBe(plain)
  for (const other of [
    { LOG_LEVEL: 'warn' },
    { TRUST_PROXY: '10.0.0.1' },
    { PUBLIC_HOSTS: 'a.example' },
    { METRICS_PORT: '9464' },
    { ADAPTERS_FILE: '/a.mjs' },
  ]) {
    expect(revisionOf(other)).not.toBe(plain)
  }
})

describe('company sign-in', () => {
  const required = {
    OIDC_ISSUER: 'https://id.company.example/v2.0',
    OIDC_CLIENT_ID: 'prospects',
    OIDC_AUTHORIZATION_ENDPOINT: 'https://id.company.example/authorize',
    OIDC_JWKS_FILE: '/etc/prospect/jwks.json',
  }

  test('is on with four settings, and has careful defaults', () => {
    expect(readConfig(required).companySignIn).toEqual({
      name: 'your company account',
      issuer: 'https://id.company.example/v2.0',
      clientId: 'prospects',
      authorizationEndpoint: 'https://id.company.example/authorize',
      jwksFile: '/etc/prospect/jwks.json',
      jwksMaxAgeDays: 7,
      algorithms: ['RS256'],
      trustedAmr: [],
      trustedAcr: [],
    })
  })

  test.each(Object.keys(required))('without %s the start is refused', (name) => {
    expect(refusal({ ...required, [name]: '' })).toMatch(/^Set all of OIDC_ISSUER/)
  })

  test('reads lists, and empty ones as the stack passes them', () => {
    const lists = { OIDC_ALGORITHMS: 'ES256, EdDSA', OIDC_TRUSTED_AMR: 'mfa,otp', OIDC_TRUSTED_ACR: '' }
    expect(readConfig({ ...required, ...lists }).companySignIn).toMatchObject({
      algorithms: ['ES256', 'EdDSA'],
      trustedAmr: ['mfa', 'otp'],
      trustedAcr: [],
    })
  })

  test.each(['none', 'HS256', 'rs256', ','])('the algorithm "%s" is refused', (value) => {
    expect(refusal({ ...required, OIDC_ALGORITHMS: value })).toContain('OIDC_ALGORITHMS')
  })

  test.each([
    'http://id.company.example',
    'id.company.example',
    'javascript:alert(1)',
    'https://user@id.company.example',
    'https://id.company.example/#x',
    'http://localhost.example',
  ])('the address %s is refused, and one of this machine may be http', (value) => {
    for (const name of ['OIDC_ISSUER', 'OIDC_AUTHORIZATION_ENDPOINT'])
      expect(refusal({ ...required, [name]: value })).toContain(name)
    expect(readConfig({ ...required, OIDC_ISSUER: 'http://127.0.0.1:9000' }).companySignIn?.issuer).toBe(
      'http://127.0.0.1:9000',
    )
  })

  test('a relative key file is refused', () => {
    expect(refusal({ ...required, OIDC_JWKS_FILE: 'jwks.json' })).toContain('OIDC_JWKS_FILE must be an absolute path')
  })
})
