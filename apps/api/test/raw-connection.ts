import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { App } from '../src/app.ts'

/* Opens a raw connection, for requests that neither `inject` nor `fetch` can send. */

export async function connected(app: App): Promise<Socket> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Returns the status of the response to these lines. */
export async function statusOf(app: App, ...lines: string[]): Promise<number> {
  const socket = await connected(app)
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  return Number((await text(socket)).split(' ', 2)[1])
}
