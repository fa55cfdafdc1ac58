import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaFaults } from '../../apps/api/src/cli/acceptance/write-report.ts'
import { newIdentity } from '../../apps/api/src/rooms/backup/backup.ts'
import {
  compose,
  containerOf,
  docker,
  killAfter,
  once,
  ports,
  run,
  secrets,
  settings,
  stackCli,
  untilHealthy,
  volume,
  writeSecret,
} from './engine.ts'

const API_OVER_BASE_MB = 250
const WEB_OVER_BASE_MB = 60
const BASE = process.env.NODE_IMAGE || 'node:26-bookworm-slim'
const PASSWORD = 'wide acacia over the dry river'
const administrator = { email: 'first@example.com', password: PASSWORD }
const CLI = ['node', 'apps/api/src/cli.ts']

let identityFile: string

beforeAll(async () => {
  chmodSync(secrets, 0o755)
  const { identity, recipient } = await newIdentity()
  identityFile = writeSecret('backup-identity', identity)
  Object.assign(settings, {
    NODE_IMAGE: BASE,
    REVISION: 'the-revision-under-test',
    BACKUP_RECIPIENTS: recipient,
    BOOTSTRAP_ADMIN_EMAIL: administrator.email,
    BOOTSTRAP_ADMIN_PASSWORD_FILE: writeSecret('bootstrap-password', PASSWORD),
  })
  // Delete the volumes that a killed run left behind; they have another password and other keys.
  await compose('down', '--volumes')
  await compose('build')
  settings.API_IMAGE_DIGEST = await docker(
    'image',
    'inspect',
    '--format',
    '{{.Id}}',
    'prospect-platform/api:stack-test',
  )
  const began = performance.now()
  await compose('up', '--detach')
  for (const service of ['api', 'web'] as const) await untilHealthy(await containerOf(service))
  console.log(`both healthy ${((performance.now() - began) / 1_000).toFixed(1)} s after they were asked to start`)
}, 900_000)

afterAll(async () => {
  await compose('down', '--volumes')
  rmSync(secrets, { recursive: true, force: true })
}, 120_000)

const inspect = async (target: string, format: string) =>
  JSON.parse(await docker('inspect', '--format', `{{json ${format}}}`, target))

describe('the images', () => {
  test.each([
    ['api', API_OVER_BASE_MB],
    ['web', WEB_OVER_BASE_MB],
  ])('of %s is small, and says what it was built from', async (name, overBaseMb) => {
    const image = `prospect-platform/${name}:stack-test`
    const mb = async (target: string) => Number(await inspect(target, '.Size')) / 1_000_000
    const over = (await mb(image)) - (await mb(BASE))
    console.log(`${name}: ${over.toFixed(0)} MB over the base`)
    expect(over).toBeLessThan(overBaseMb)
    expect(await inspect(image, '.Config.Labels')).toMatchObject({
      'org.opencontainers.image.revision': 'the-revision-under-test',
    })
    const files = await docker(
      'run',
      '--rm',
      '--entrypoint',
      'node',
      image,
      '--eval',
      `console.log(require('node:fs').globSync('**/*.{test.ts,env}', { cwd: '/app/apps' }).join())`,
    )
    expect(files).toBe('')
  })
})

describe('the containers', () => {
  test.each(['api', 'web'] as const)(
    '%s runs as nobody special, sees a read-only disk and is bounded',
    async (service) => {
      const container = await containerOf(service)
      expect(await inspect(container, '.HostConfig')).toMatchObject({
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges:true'],
        Init: true,
        Privileged: false,
        PidsLimit: 128,
      })
      expect((await inspect(container, '.HostConfig.Memory')) > 0).toBe(true)
      expect(await docker('exec', container, 'id', '-u')).toBe('1000')
      const status = await docker(
        'exec',
        container,
        'node',
        '--eval',
        `console.log(require('node:fs').readFileSync('/proc/self/status', 'utf8'))`,
      )
      expect(status).toMatch(/CapEff:\t0+\n/)
      expect(status).toMatch(/NoNewPrivs:\t1/)
      expect((await run('docker', ['exec', container, 'touch', '/app/x'])).exitCode).not.toBe(0)
      const bindings: Record<string, { HostIp: string }[]> = await inspect(container, '.HostConfig.PortBindings')
      expect(
        Object.values(bindings)
          .flat()
          .map(({ HostIp }) => HostIp),
      ).toEqual(['127.0.0.1'])
    },
  )

  test('nobody is contacted: the setting is in the container, and another value stops the start', async () => {
    expect(await inspect(await containerOf('api'), '.Config.Env')).toContain('AUTOMATED_OUTREACH_ENABLED=false')
    const refused = await once(['--env', 'AUTOMATED_OUTREACH_ENABLED=true'])
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('AUTOMATED_OUTREACH_ENABLED must be false'),
    })
  })

  test('through the web app one signs in, with a cookie that only TLS and localhost carry', async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.web}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(administrator),
    })
    expect(answer.status).toBe(201)
    const [cookie] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-.*; Secure/)
    expect(await (await fetch(`http://127.0.0.1:${ports.web}/healthz`)).json()).toEqual({ status: 'ok' })
  })

  test('the logs hold no password, and the probe finds all well but for what is not yet there', async () => {
    const logs = await compose('logs', 'api')
    expect(logs).toContain('the first administrator was created')
    expect(logs).not.toContain(PASSWORD)
    const { stdout } = await run('script/probe', [])
    expect(stdout).toMatch(/ok +API ready/)
    expect(stdout).toMatch(/ok +web alive/)
    expect(stdout).toMatch(/critical +last backup: there is no backup/)
    expect(stdout).toContain('Not proven by this')
  })
})

describe('the acceptance', () => {
  test('of the running containers meets no failure, and its report tells image, revision and what stands in the way', async () => {
    const { exitCode, stderr } = await stackCli('acceptance', '--web-url', 'http://web:8080', '--scratch', '/data')
    expect(stderr).not.toContain('FAILED')
    const api = await containerOf('api')
    const report = JSON.parse(
      await docker(
        'exec',
        api,
        'node',
        '--eval',
        `console.log(require('node:fs').readFileSync('/data/acceptance/report.json', 'utf8'))`,
      ),
    )
    expect(schemaFaults(report)).toBeNull()
    expect(report.checks.run).toMatchObject({
      commit: 'the-revision-under-test',
      image_digest: settings.API_IMAGE_DIGEST,
    })
    expect(report.capacity_smoke.passed).toBe(true)
    const blockers: { gate: string; status: string }[] = report.blockers
    expect(blockers.filter(({ status }) => status === 'failed' || status === 'not_checked')).toEqual([])
    expect(blockers.map(({ gate }) => gate)).not.toContain('container_stack')
    expect(exitCode).toBe(report.passed ? 0 : 3)
  })
})

describe('backups of the stack', () => {
  test('are made beside the running API, copied to a folder of the host, and restored with the API stopped', async () => {
    const to = mkdtempSync(join(tmpdir(), 'prospect-stack-backups-'))
    const made = await run('script/backup', ['--to', to])
    expect(made).toMatchObject({ exitCode: 0 })
    expect(readdirSync(to)).toHaveLength(1)
    rmSync(to, { recursive: true })
    const backup = made.stdout.split('\n')[0] ?? ''
    await stackCli('tenant', 'create', '--name', 'Later')
    const restore = ['restore', '--from', backup, '--identity', identityFile]
    expect((await stackCli(...restore)).stderr).toContain('Another program uses this store')
    expect(await stackCli('migrations')).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\ttaken\n$/) })
    await compose('stop', 'api')
    const probed = await run('script/probe', [])
    expect(probed).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/critical +container \S+api\S*: exited/),
    })
    expect(await run('script/backup', [])).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\/backups\//) })
    const restored = await stackCli(...restore)
    expect(restored).toMatchObject({ exitCode: 0 })
    await compose('start', 'api')
    await untilHealthy(await containerOf('api'))
    expect((await stackCli('tenant', 'list')).stdout).not.toContain('Later')
    expect((await stackCli('audit', 'verify')).exitCode).toBe(0)
    expect((await run('script/probe', [])).stdout).toMatch(/ok +last backup/)
  })
})

describe('faults', () => {
  test('the API killed in the middle of a backup: nothing that looks like one, and both work again', async () => {
    const before = (await stackCli('backup', 'list')).stdout
    for (const ms of [700, 1_100, 1_500]) {
      const backup = stackCli('backup')
      await wait(ms)
      await docker('kill', await containerOf('api'))
      await backup
      await compose('start', 'api')
      await untilHealthy(await containerOf('api'))
    }
    expect((await stackCli('backup', 'list')).stdout).not.toContain('cannot be read')
    expect((await stackCli('backup')).exitCode).toBe(0)
    expect((await stackCli('backup', 'list')).stdout.length).toBeGreaterThan(before.length)
    expect((await stackCli('backup', 'verify', '--identity', identityFile)).stdout).toContain('whole')
  })

  test('killed in the middle of a restore: one whole store, and the start knows which', async () => {
    const backup = (await stackCli('backup')).stdout.trim()
    await compose('stop', 'api')
    const mounts = [
      '--volume',
      `${volume}:/data`,
      '--volume',
      `${settings.BACKUP_VOLUME_NAME}:/backups`,
      '--volume',
      `${secrets}:/run/secrets:ro`,
    ]
    for (const ms of [900, 1_300, 1_700, 2_100]) {
      const restoring = once(
        [...mounts, '--name', 'prospect-stack-restore'],
        ...CLI,
        'restore',
        '--from',
        backup,
        '--identity',
        identityFile,
      )
      await killAfter(ms, 'prospect-stack-restore', restoring)
      const verified = await once(mounts, ...CLI, 'audit', 'verify')
      expect(verified).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('intact') })
    }
    await compose('start', 'api')
    await untilHealthy(await containerOf('api'))
  })

  test('killed in the middle of the first start and its migrations: the next start is whole', async () => {
    const fresh = 'prospect-stack-test-fresh'
    for (const ms of [300, 500, 700, 900]) {
      const starting = once(['--volume', `${fresh}:/data`, '--name', 'prospect-stack-start'])
      await killAfter(ms, 'prospect-stack-start', starting)
    }
    const listed = await once(['--volume', `${fresh}:/data`], ...CLI, 'migrations')
    expect(listed.exitCode).toBe(0)
    expect(await once(['--volume', `${fresh}:/data`], ...CLI, 'tenant', 'create', '--name', 'After')).toMatchObject({
      exitCode: 0,
    })
    await docker('volume', 'rm', fresh)
  })

  test('a full volume: work is refused with a sentence, nothing is lost, and a backup says what it needs', async () => {
    const mount = ['--tmpfs', '/data:size=8m,uid=1000,gid=1000,mode=0700']
    const fill = `
      const { execFileSync } = await import('node:child_process')
      const { writeFileSync, statfsSync, rmSync } = await import('node:fs')
      const cli = (...args) => { try { return execFileSync('node', ['apps/api/src/cli.ts', ...args], { encoding: 'utf8', stdio: 'pipe' }) } catch (error) { return 'REFUSED ' + error.stderr } }
      cli('tenant', 'create', '--name', 'First')
      const { bavail, bsize } = statfsSync('/data')
      writeFileSync('/data/filler', Buffer.alloc(Math.max(0, bavail * bsize - 8192)))
      let refused = ''
      for (let n = 0; n < 50 && refused === ''; n++) { const said = cli('tenant', 'create', '--name', 'More ' + n); if (said.startsWith('REFUSED')) refused = said }
      console.log(refused)
      console.log(cli('backup'))
      rmSync('/data/filler')
      console.log(cli('tenant', 'create', '--name', 'Last'))
      console.log(cli('tenant', 'list'), cli('audit', 'verify'))`
    const { stdout } = await once(
      [...mount, '--env', `BACKUP_RECIPIENTS=${settings.BACKUP_RECIPIENTS}`, '--env', 'BACKUP_DIR=/data/backups'],
      'node',
      '--input-type=module',
      '--eval',
      fill,
    )
    expect(stdout).toMatch(/REFUSED The disk of the store (is full|failed)/)
    expect(stdout).toMatch(/There is too little space for a backup|The disk of the store is full/)
    expect(stdout).toMatch(/First\n[\s\S]*Last/)
    expect(stdout).not.toContain('broken')
  })

  test('a read-only volume: the start is refused with a sentence that says what to do', async () => {
    const { exitCode, stderr } = await once(['--volume', `${volume}:/data:ro`])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^The (data folder|store) cannot be (written|opened).*\n$/),
    })
  })

  test('a corrupted page: a backup refuses it, the newest backup brings the store back', async () => {
    const backup = (await stackCli('backup')).stdout.trim()
    await compose('stop', 'api')
    const mounts = [
      '--volume',
      `${volume}:/data`,
      '--volume',
      `${settings.BACKUP_VOLUME_NAME}:/backups`,
      '--volume',
      `${secrets}:/run/secrets:ro`,
      '--env',
      `BACKUP_RECIPIENTS=${settings.BACKUP_RECIPIENTS}`,
    ]
    const corrupt = `const fs = require('node:fs'); const file = '/data/prospect.sqlite'; const bytes = fs.readFileSync(file)
      for (let page = 2; page < bytes.length / 4096; page += 3) bytes.fill(0xa5, page * 4096 + 8, page * 4096 + 200)
      fs.writeFileSync(file, bytes)`
    expect((await once(mounts, 'node', '--eval', corrupt)).exitCode).toBe(0)
    const refused = await once(mounts, ...CLI, 'backup')
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('damaged') })
    expect(await once(mounts, ...CLI, 'restore', '--from', backup, '--identity', identityFile)).toMatchObject({
      exitCode: 0,
    })
    await compose('start', 'api')
    await untilHealthy(await containerOf('api'))
    expect((await stackCli('audit', 'verify')).exitCode).toBe(0)
  })
})
