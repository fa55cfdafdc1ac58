import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

/*
 * Runs the client in plain Node, as an external program does. Other tests would miss an error: vitest finds files under names that Node does not, and
 * the web app imports only the client's types.
 */

const program = `
import { addNote, client, signIn } from './src/index.ts'
client.setConfig({ baseUrl: process.env.ADDRESS })
const { data, response } = await signIn({ body: { email: 'a@example.com', password: 'a password' } })
client.setConfig({ headers: { Cookie: response.headers.getSetCookie()[0].split(';')[0], 'X-CSRF-Token': data.csrfToken } })
const { error } = await addNote({ path: { businessId: 'b' }, body: { text: 'Hello' } })
console.log(error.code)
`

test('whoever takes the client into a program signs in with it and works on', async () => {
  const asked: unknown[] = []
  const server = createServer(({ method, url, headers }, response) => {
    const { cookie, 'x-csrf-token': token } = headers
    asked.push([method, url, cookie, token])
    const isSignIn = url === '/api/v1/session'
    response.writeHead(isSignIn ? 201 : 404, {
      'content-type': 'application/json',
      'set-cookie': 'session=s; HttpOnly',
    })
    response.end(JSON.stringify(isSignIn ? { csrfToken: 'c' } : { code: 'not_found' }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: { ...process.env, ADDRESS: `http://127.0.0.1:${port}` },
  })
  expect(stdout.trim()).toBe('not_found')
  expect(asked).toEqual([
    ['POST', '/api/v1/session', undefined, undefined],
    ['POST', '/api/v1/businesses/b/notes', 'session=s', 'c'],
  ])
})
