import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runNode } from '../apps/api/test/run-node.ts'
import { freePort } from './lib/free-port.ts'

/* Checks rules about adapters that import rules cannot express: manifests, images, names in code, and the operator's file. */

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')
const read = (file: string) => ({ file, text: readFileSync(file, 'utf8') })

const packages = tracked
  .filter((file) => /^packages\/adapters\/[^/]+\/package\.json$/.test(file))
  .map((file): string => JSON.parse(readFileSync(file, 'utf8')).name)

test('no app depends on an adapter, or names one in its code', () => {
  expect(packages.length).toBeGreaterThanOrEqual(4)
  const names = [...packages, 'packages/adapters']
  const ofApps = tracked.filter((file) => /^apps\/.*(?:\.tsx?|package\.json)$/.test(file)).map(read)
  expect(ofApps.filter(({ text }) => names.some((name) => text.includes(name))).map(({ file }) => file)).toEqual([])
})

test('the images are built from a folder without adapters, and copy none', () => {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
  expect(ignored).toContain('packages/adapters')
  // No later line may include the folder again.
  const since = ignored.slice(ignored.indexOf('packages/adapters') + 1)
  expect(since.filter((line) => line.startsWith('!'))).toEqual([])
  for (const { text } of tracked.filter((file) => /Dockerfile$|compose.*\.yaml$/.test(file)).map(read)) {
    expect(text).not.toContain('packages/adapters')
    expect(text).not.toContain('ADAPTERS_FILE')
  }
})

test('the example of the documentation loads, lists its adapters and opens no connection', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'prospect-adapters-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/sources.md', 'utf8')) ?? []
  const [file, outbound] = [join(folder, 'adapters.mjs'), join(folder, 'outbound')]
  writeFileSync(file, example.replaceAll('/opt/prospect', resolve()))
  writeFileSync(outbound, '')
  const env = {
    DATA_DIR: join(folder, 'data'),
    API_PORT: String(await freePort()),
    ADAPTERS_FILE: file,
    NODE_OPTIONS: `--import=${resolve('apps/api/test/outbound-watch.ts')}`,
    OUTBOUND_WATCH_FILE: outbound,
  }
  const { exitCode, stdout, stderr } = await runNode('main.ts', [], { env, stopAt: 'Server listening' })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const line = stdout.split('\n').find((text) => text.includes('adapters are loaded')) ?? '{}'
  expect(JSON.parse(line)).toMatchObject({
    adapters: [{ id: 'dns' }, { id: 'web-fetch' }, { id: 'openai-compatible' }],
  })
  expect(readFileSync(outbound, 'utf8')).toBe('')
})
