import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { freePort } from '../../../script/lib/free-port.ts'
import { signIn, startApi } from './api-process.ts'
import { extractionSteps } from './extraction-steps.ts'
import { temporaryFolder } from './template-store.ts'

/*
 * Tests that nothing is ever contacted (Global rule 3): uses every room of the real process while each outgoing channel is watched.
 * script/acceptance.test.ts covers both servers, all commands and every route, in a network without an exit and under a trace of the system calls.
 */

const watch = join(import.meta.dirname, 'outbound-watch.ts')

function watched() {
  const file = join(temporaryFolder(), 'outbound')
  return {
    environment: [`NODE_OPTIONS=--import=${watch}`, `OUTBOUND_WATCH_FILE=${file}`],
    tried: () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
  }
}

test('the watch detects a connection, a name, a resolver and a datagram', ({ expect }) => {
  const { environment, tried } = watched()
  const attempts = `
    await fetch('http://127.0.0.1:65535').catch(() => {})
    try { (await import('node:dns')).default.lookup('nowhere.example', () => {}) } catch {}
    try { await new (await import('node:dns')).promises.Resolver().resolve4('nowhere.example') } catch {}
    try { (await import('node:dgram')).default.createSocket('udp4') } catch {}`
  spawnSync('env', [...environment, process.execPath, '--input-type=module', '-e', attempts])
  expect(tried().trim().split('\n')).toEqual([
    'a TCP connection',
    'dns.lookup nowhere.example',
    "a resolver's resolve4",
    'a datagram socket',
  ])
})

test('extracting contacts from a supplied page and accepting one opens no connection and resolves no name', async ({
  expect,
}) => {
  const { environment, tried } = watched()
  const port = await freePort()
  const api = startApi({ dataDir: temporaryFolder(), port, command: ['env', ...environment] })
  onTestFinished(async () => {
    await api.kill('SIGKILL')
  })
  await api.ready()
  const session = await signIn(port)
  const { extract, candidates } = await extractionSteps(port, session)
  const page = '<h1>Contact us</h1><p>desk@karoo.co.za</p><p>anna@hantam.co.za</p><a href="tel:+27215550105">Call</a>'
  expect(await extract(page)).toMatchObject({ state: 'complete', counts: { open: 2, quarantined: 1 } })
  for (const { id, fingerprint, state } of await candidates()) {
    const decision =
      state === 'open' ? { decision: 'accept', addToRecord: true } : { decision: 'release', reason: 'Theirs.' }
    const path = `/contact-candidates/${id}/decision`
    const { status } = await session.post(path, { ...decision, fingerprint }, { 'idempotency-key': String(id) })
    expect(status).toBe(200)
  }
  expect(await api.kill('SIGTERM')).toBe(0)
  expect(tried()).toBe('')
})

test('starting, working in every room and stopping opens no connection and resolves no name', async ({ expect }) => {
  const { environment, tried } = watched()
  const port = await freePort()
  const api = startApi({ dataDir: temporaryFolder(), port, command: ['env', ...environment] })
  onTestFinished(async () => {
    await api.kill('SIGKILL')
  })
  await api.ready()
  const session = await signIn(port)
  const { body: created } = await session.post('/businesses', {
    name: 'Karoo Windpumps',
    emails: [{ value: 'sales@karoo-windpumps.co.za' }],
    domains: [{ value: 'https://karoo-windpumps.co.za' }],
    phones: [{ value: '021 555 0101', region: 'ZA' }],
  })
  const at = `/businesses/${created.id}`
  const adapter = { id: 'web-fetch', version: '0.1.0' }
  const { body: source } = await session.post('/sources', { slug: 'pages', name: 'Pages', adapter })
  const query = { businessId: created.id, fields: ['name'], provinces: [], maxRecords: 1 }
  const seen = {
    ...{ field: 'industry', value: 'Windpumps', sourceLabel: 'A visit' },
    ...{ capturedAt: '2026-01-01T08:00:00Z', confidence: 'high' },
  }
  const { body: observation } = await session.post(`${at}/evidence`, seen)
  const selection = { businessId: created.id, purpose: 'prospect_summary', evidenceIds: [observation.id] }
  const answers = [
    await session.post(`${at}/evidence`, {
      observation: 'Their site names another number',
      url: 'https://karoo-windpumps.co.za/contact',
      sourceLabel: 'Web site',
      capturedAt: '2026-01-01T08:00:00Z',
      confidence: 'low',
    }),
    await session.post(`${at}/notes`, { text: 'Ask for Lindiwe' }),
    await session.post(`${at}/pipeline-transitions`, { to: 'contacted' }),
    await session.post(`${at}/do-not-contact`, { reason: 'Asked' }),
    await session.post(`/sources/${source.id}/dry-runs`, { query }),
    await session.post(
      `/sources/${source.id}/queries`,
      { purpose: 'business_records', query },
      { 'idempotency-key': 'q' },
    ),
    await session.get(`${at}/brief`),
    await session.get('/assist/status'),
    await session.post('/assist/policies', { purposes: ['prospect_summary'], dataClasses: ['claims'] }),
    await session.post('/assist/previews', selection),
    await session.post(
      '/assist/suggestions',
      { ...selection, contentHash: 'a'.repeat(64) },
      { 'idempotency-key': 's' },
    ),
    await session.get('/businesses?q=windpump&state=contacted'),
    await session.get(`${at}/facts`),
    await session.get(`${at}/activity`),
    await session.get('/audit-events/verification'),
    await session.get('/capabilities'),
    await session.get('/openapi.json'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([
    ...[201, 201, 200, 200, 200, 200],
    // Assistance is disabled, so a preview and a request are refused.
    ...[200, 200, 201, 422, 422],
    ...[200, 200, 200, 200, 200, 200],
  ])
  expect(await api.kill('SIGTERM')).toBe(0)
  expect(tried()).toBe('')
})

test('a trial of assistance without ADAPTERS_FILE opens no connection', ({ expect }) => {
  const { environment, tried } = watched()
  const cli = join(import.meta.dirname, '../src/cli.ts')
  const command = [...environment, `DATA_DIR=${temporaryFolder()}`, process.execPath, cli, 'assist', 'try']
  expect(spawnSync('env', ['-u', 'ADAPTERS_FILE', ...command]).status).toBe(3)
  expect(tried()).toBe('')
})
