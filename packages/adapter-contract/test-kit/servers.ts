import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/* Test servers on loopback. Each server ends with the test that opened it. */

export const LOOPBACK = '127.0.0.1'

export type TestServer = {
  port: number
  /** number of accepted connections */
  connections(): number
  /** number of open connections; 0 once a transport has closed its socket */
  open(): number
}

/** Creates a server whose connections the test answers with raw bytes, for responses that no correct server sends. */
export async function rawServer(serve: (socket: Socket, received: string) => void): Promise<TestServer> {
  const server = createServer((socket) => {
    let received = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      serve(socket, received)
    })
  })
  return listen(server)
}

export type TestHttpServer = TestServer & {
  /** method and path of every request */
  requests: string[]
}

export async function httpServer(serve: RequestListener): Promise<TestHttpServer> {
  const requests: string[] = []
  const server = createHttpServer(recorded(requests, serve))
  return { ...(await listen(server)), requests }
}

export async function httpsServer(
  identity: { key: string; cert: string },
  serve: RequestListener,
): Promise<TestHttpServer> {
  const requests: string[] = []
  const server = createHttpsServer(identity, recorded(requests, serve))
  server.on('tlsClientError', () => {})
  return { ...(await listen(server)), requests }
}

/** Returns a port on loopback that no server listens on. */
export async function closedPort(): Promise<number> {
  const server = createServer()
  const { port } = await bind(server)
  server.close()
  await once(server, 'close')
  return port
}

/** Writes one byte at a time until the other side closes the connection. Each byte resets an idle timeout, but not a deadline. */
export async function drip(writable: Writable, text: string): Promise<void> {
  for (const byte of text) {
    if (writable.destroyed) return
    writable.write(byte)
    await wait(20)
  }
}

function recorded(requests: string[], serve: RequestListener): RequestListener {
  return (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    serve(request, response)
  }
}

async function listen(server: Server): Promise<TestServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = await bind(server)
  return { port, connections: () => connections, open: () => sockets.size }
}

async function bind(server: Server): Promise<{ port: number }> {
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address
}
