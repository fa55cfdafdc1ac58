import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'vitest'
import { buildTestApp } from './build-app.ts'

/** Sends raw bytes on a connection, because `inject` has no HTTP parser and `fetch` always sends a length. */
async function say(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write([...lines, 'Host: localhost', 'Connection: close', '', ''].join('\r\n'))
  return text(socket)
}

test('a request with a content type and no body gets a response from every operation', async ({ expect }) => {
  const { app, startSession, tenants } = await buildTestApp()
  const token = await startSession({
    tenantId: tenants.home.id,
    userId: tenants.home.users.operator.id,
    role: 'operator',
  })
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  const csrf = JSON.parse(
    (await say(port, ['GET /api/v1/session HTTP/1.1', `Cookie: prospect_session=${token}`])).split('\r\n\r\n')[1] ?? '',
  ).csrfToken
  const ask = async (start: string, type: string) => {
    const lines = [
      `${start} HTTP/1.1`,
      `Cookie: prospect_session=${token}`,
      `X-CSRF-Token: ${csrf}`,
      `Content-Type: ${type}`,
    ]
    return (await say(port, lines)).split(' ', 2)[1]
  }
  expect({
    read: await ask('GET /api/v1/businesses', 'application/json'),
    change: await ask('POST /api/v1/businesses', 'application/json'),
    file: await ask('POST /api/v1/csv-previews', 'text/csv'),
    unknownKind: await ask('POST /api/v1/businesses', 'text/plain'),
    nowhere: await ask('POST /api/v1/nowhere', 'application/json'),
  }).toEqual({ read: '200', change: '400', file: '201', unknownKind: '415', nowhere: '400' })
})
