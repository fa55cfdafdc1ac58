import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

/* Checks the units with systemd's own tools, where they are installed. */

const has = (program: string) => spawnSync(program, ['--version']).status === 0
const units = mkdtempSync(join(tmpdir(), 'prospect-units-'))
afterAll(() => rmSync(units, { recursive: true, force: true }))

/** Copies the units with the paths of this machine, because the tools check that the programs exist. */
cpSync('systemd', units, { recursive: true })
const names = readdirSync(units).filter((name) => /\.(?:service|timer)$/.test(name))
for (const name of [...names, 'prospect-.service.d/hardening.conf']) {
  const file = join(units, name)
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replaceAll('/usr/bin/node', process.execPath).replaceAll('/opt/prospect-platform', process.cwd()),
  )
}
const services = names.filter((name) => name.endsWith('.service'))
const analyze = (...args: string[]): SpawnSyncReturns<string> =>
  spawnSync('systemd-analyze', args, { encoding: 'utf8', env: { ...process.env, SYSTEMD_UNIT_PATH: `${units}:` } })

test('each timer starts a service, and no secret is in a unit', () => {
  expect(services).toHaveLength(5)
  for (const name of names) {
    if (name.endsWith('.timer')) expect(services).toContain(name.replace('.timer', '.service'))
    expect(readFileSync(join(units, name), 'utf8')).not.toMatch(/PASSWORD|SECRET_ACCESS_KEY|RECIPIENTS/)
  }
})

describe.skipIf(!has('systemd-analyze'))('systemd', () => {
  test('finds no fault in the units', () => {
    const { status, stdout, stderr } = analyze('verify', ...names.map((name) => join(units, name)))
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' })
  })

  test.each(services)('rates the exposure of %s as low', (name) => {
    const { status, stdout } = analyze('security', '--offline=true', '--no-pager', '--threshold=15', join(units, name))
    expect({ status, rated: stdout.split('\n').filter((line) => line.startsWith('→')) }).toEqual({
      status: 0,
      rated: [expect.stringMatching(/ 1\.\d OK/)],
    })
  })
})
