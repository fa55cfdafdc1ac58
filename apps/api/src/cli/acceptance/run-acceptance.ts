import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type Account,
  CheckFailed,
  createClient,
  expectStatus,
  find,
  numberAt,
  signIn,
  textAt,
} from '../../acceptance/acceptance-client.ts'
import { capabilitiesOf } from '../../acceptance/capabilities.ts'
import type { Check, Gate, World } from '../../acceptance/gates.ts'
import { AppError } from '../../lib/app-error.ts'
import { systemClock } from '../../lib/clock.ts'
import { type AcceptanceCheck, type AcceptanceReport, adaptersSchema } from '../../rooms/health/health.ts'
import { createTenant, createUser, type Role } from '../../rooms/identity/identity.ts'
import { rooms } from '../../rooms/index.ts'
import type { Store } from '../../store/store.ts'
import { assembleReport, type Ran } from './assemble-report.ts'
import { capacitySmoke } from './capacity-smoke.ts'
import { globalRules } from './global-rules.checks.ts'
import { interfaceGate } from './interface.checks.ts'
import { loadGates } from './load-gates.ts'
import { inOwnWorld } from './own-world.ts'

const HEALTH_PATIENCE_MS = 5_000
/** Ends a check that hangs. A check that starts several programs takes half a minute on a busy machine, and no check asserts a duration. */
const CHECK_PATIENCE_MS = 120_000
const MAX_OUTPUT_BYTES = 16 * 1_048_576

export type AcceptanceOptions = {
  apiUrl: string
  webUrl: string
  dataDir: string
  /** folder for the backup and the drill of this run, which delete their files */
  scratch: string
  /** the store of the service, opened only while people are created in it */
  withStore: <T>(work: (store: Store) => Promise<T>) => Promise<T>
  /** receives the result of each check */
  onResult: (gate: Gate, result: AcceptanceCheck) => void
}

/**
 * Tests a running service from outside and returns the report. Creates two tenants with people and records in the store and leaves them there.
 * Errors: `unavailable` if the service does not respond, before anything is created; CheckFailed if signing in fails.
 */
export async function runAcceptance(options: AcceptanceOptions): Promise<AcceptanceReport> {
  const started_at = systemClock().toISOString()
  return inWorld(options, async (world) => {
    const ran = await runGates(await allGates(), world, options)
    const smoke = await capacitySmoke(world)
    const capabilities = await capabilitiesOf(world.viewer.get('/capabilities'))
    const detail = expectStatus(await world.administrator.get('/health/detail'), 200, 'the deployment').body
    const textOrNull = (path: string) => (find(detail, path) === null ? null : textAt(detail, path))
    const run = {
      started_at,
      ended_at: systemClock().toISOString(),
      commit: textOrNull('revision'),
      product_version: textAt(detail, 'version'),
      image_digest: textOrNull('imageDigest'),
      configuration_revision: textAt(detail, 'configurationRevision'),
      schema_version: numberAt(detail, 'schemaVersion'),
      node: textAt(detail, 'node'),
      adapters: adaptersSchema.parse(find(detail, 'adapters')),
    }
    return assembleReport({ run, ran, capabilities, smoke, webUrl: options.webUrl })
  })
}

/** Runs only the checks of one phase, without an acceptance report. Errors: those of `runAcceptance`, and `invalid_request`. */
export async function runPhase(phase: number, options: AcceptanceOptions): Promise<AcceptanceCheck[]> {
  const gates = await allGates()
  const own = gates.filter((gate) => gate.phase === phase)
  if (own.length === 0) {
    const phases = [...new Set(gates.flatMap((gate) => gate.phase ?? []))].sort((a, b) => a - b).join(', ')
    throw new AppError('invalid_request', `Phase ${phase} has no checks. Phases with checks: ${phases}.`)
  }
  const ran = await inWorld(options, (world) => runGates(own, world, options))
  return ran.flatMap(({ results }) => results)
}

/** Returns the gates of all rooms in the order of rooms, then those about all rooms. A phase without a check is reported as a blocker. */
async function allGates(): Promise<Gate[]> {
  return [...(await loadGates(rooms)), globalRules, interfaceGate]
}

async function inWorld<T>(options: AcceptanceOptions, work: (world: World) => Promise<T>): Promise<T> {
  await requireAnswer('API', `${options.apiUrl}/api/v1/health/live`)
  await requireAnswer('web app', `${options.webUrl}/healthz`)
  const scratch = mkdtempSync(join(options.scratch, 'prospect-acceptance-'))
  try {
    return await work(await createWorld(options, scratch))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function runGates(
  some: readonly Gate[],
  world: World,
  { onResult }: Pick<AcceptanceOptions, 'onResult'>,
): Promise<Ran[]> {
  const ran: Ran[] = []
  for (const gate of some) {
    const results: AcceptanceCheck[] = []
    for (const check of gate.checks) {
      const result = await attempt(check, world)
      results.push(result)
      onResult(gate, result)
    }
    ran.push({ gate, results })
  }
  return ran
}

async function requireAnswer(name: string, url: string): Promise<void> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(HEALTH_PATIENCE_MS) })
  } catch (cause) {
    throw new AppError('unavailable', `The ${name} does not respond at ${url}. Start it, or set its address.`, {
      cause,
    })
  }
}

/** Runs one check for at most `patienceMs`. Any other error also fails the check, with its message as the finding. */
export async function attempt(
  { name, run }: Check,
  world: World,
  patienceMs: number = CHECK_PATIENCE_MS,
): Promise<AcceptanceCheck> {
  const ended = new AbortController()
  const timedOut = delay(patienceMs, undefined, { signal: ended.signal }).then(() => {
    throw new CheckFailed(`It timed out after ${patienceMs / 1_000} seconds.`)
  })
  try {
    return { name, passed: true, found: await Promise.race([run(world), timedOut]) }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return { name, passed: false, found: error instanceof CheckFailed ? found : `It could not be tested: ${found}` }
  } finally {
    timedOut.catch(() => undefined)
    ended.abort()
  }
}

async function createWorld({ apiUrl, webUrl, dataDir, withStore }: AcceptanceOptions, scratch: string): Promise<World> {
  const mark = randomBytes(4).toString('hex')
  const people = await withStore(async (store) => {
    const timeZone = 'Africa/Johannesburg'
    const tenantId = await createTenant(store, 'command line', { name: `Acceptance ${mark}`, timeZone })
    const otherId = await createTenant(store, 'command line', { name: `Acceptance other tenant ${mark}`, timeZone })
    const person = async (tenantId: string, role: Role, name: string): Promise<Account> => {
      const email = `${name}-${mark}@acceptance.invalid`
      const password = randomBytes(18).toString('base64url')
      await createUser(store, 'command line', { tenantId, role, name: `Acceptance ${name}`, email, password })
      return { email, password, recoveryCodes: [] }
    }
    return {
      administrator: await person(tenantId, 'administrator', 'administrator'),
      secondAdministrator: await person(tenantId, 'administrator', 'second-administrator'),
      manager: await person(tenantId, 'manager', 'manager'),
      operator: await person(tenantId, 'operator', 'operator'),
      viewer: await person(tenantId, 'viewer', 'viewer'),
      neighbour: await person(otherId, 'administrator', 'neighbour'),
      sweeper: await person(otherId, 'administrator', 'sweeper'),
    }
  })
  const enter = (account: Account) => signIn(webUrl, account)
  const administrator = await enter(people.administrator)
  return {
    apiUrl,
    webUrl,
    scratch,
    // Health is requested from the API itself, as a monitor does; all other requests go through the web app.
    visitor: createClient(apiUrl),
    administrator,
    secondAdministrator: await enter(people.secondAdministrator),
    manager: await enter(people.manager),
    operator: await enter(people.operator),
    viewer: await enter(people.viewer),
    neighbour: await enter(people.neighbour),
    anotherSession: () => enter(people.viewer),
    anotherAdministration: () => enter(people.administrator),
    sweeper: () => enter(people.sweeper),
    openApi: expectStatus(await administrator.get('/openapi.json'), 200, 'the interface'),
    cli: (args, env = {}) => runCli(dataDir, args, env),
    inProcess: (check, adapters) => inOwnWorld(scratch, check, adapters),
  }
}

function runCli(dataDir: string, args: string[], env: Record<string, string>): ReturnType<World['cli']> {
  const file = fileURLToPath(new URL('../../cli.ts', import.meta.url))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const options = { env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, ...env }, maxBuffer: MAX_OUTPUT_BYTES }
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ exitCode, stdout, stderr })
    })
  })
}
