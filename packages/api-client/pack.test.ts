import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

/* Installs the packed client in an empty project and runs the program of its README, as an integrator does. */

const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
const program = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? ''
const TOKEN = `pp_${'a'.repeat(71)}`

/** Creates a project with the packed client in `node_modules`. */
function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), 'prospect-packed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const packed = execFileSync(process.execPath, [join(import.meta.dirname, 'pack.ts'), folder], { encoding: 'utf8' })
  const target = join(folder, 'node_modules/@prospect/api-client')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', packed.trim(), '-C', target, '--strip-components=1'])
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

async function served(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('the packed client runs and type-checks in an empty project, and the lines of its README create a prospect', async () => {
  const folder = installed()
  const asked: unknown[] = []
  const url = await served((request, response) => {
    const { method, url: path, headers } = request
    asked.push([method, path, headers.authorization])
    // The first request is refused because of its rate, and sent again.
    if (asked.length === 1) return response.writeHead(429, { 'retry-after': '0' }).end('{}')
    return response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: 'b1' }))
  })
  writeFileSync(join(folder, 'program.ts'), program)
  const env = { ...process.env, PROSPECT_URL: url, PROSPECT_TOKEN: TOKEN }
  const { stdout } = await promisify(execFile)(process.execPath, ['program.ts'], { cwd: folder, env })
  expect(stdout).toBe('Created b1\n')
  const sent = ['POST', '/api/v1/businesses', `Bearer ${TOKEN}`]
  expect(asked).toEqual([sent, sent])
  const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node']
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--lib',
    'esnext,dom',
    ...types,
  ]
  execFileSync(process.execPath, [resolve('node_modules/typescript-native/bin/tsc'), ...options, 'program.ts'], {
    cwd: folder,
  })
})

test('a program without a token ends with a sentence, before any request', async () => {
  const { connect } = await import('./src/index.ts')
  for (const token of [undefined, '', 'Bearer pp_x'])
    expect(() => connect({ baseUrl: 'http://127.0.0.1:9', token })).toThrow('Set an access token. It begins with pp_.')
})
