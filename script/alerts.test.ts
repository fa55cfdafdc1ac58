import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'

/* Tests the alert rules with Prometheus's own tool. script/test fetches it; without it, these tests are skipped. */

const unpacked = 'node_modules/.cache/promtool/usr/bin/promtool'
const promtool = existsSync(unpacked) ? unpacked : 'promtool'
const isThere = spawnSync(promtool, ['--version']).status === 0

const run = (...args: string[]) => spawnSync(promtool, args, { encoding: 'utf8' })

test.skipIf(!isThere)('the rules are valid', () => {
  const { status, stdout, stderr } = run('check', 'rules', 'docs/alerts.yml')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('5 rules found')
})

test.skipIf(!isThere)('each rule fires when it should, and not otherwise', () => {
  const { status, stdout, stderr } = run('test', 'rules', 'docs/alerts.test.yml')
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' })
})
