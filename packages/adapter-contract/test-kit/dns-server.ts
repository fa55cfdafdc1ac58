import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type Socket as Connection, createServer, type Server } from 'node:net'
import * as dnsPacket from 'dns-packet'
import { onTestFinished } from 'vitest'
import { LOOPBACK } from './servers.ts'

/** A reply of the server: one or several packets, raw bytes, or nothing. */
export type DnsReply = dnsPacket.Packet | Buffer | undefined
export type DnsOver = 'udp' | 'tcp'

export type TestDnsServer = {
  port: number
  /** descriptions of the received questions, such as "UDP MX karoo.example" */
  questions: string[]
  /** source ports of the received datagrams */
  senders: number[]
  ids: number[]
  open(): number
}

/** Function that returns the reply to a question. `sender`: the source port of a UDP question. */
export type DnsServe = (question: Buffer, over: DnsOver, sender: number) => DnsReply | DnsReply[]

/** Starts a name server on loopback, over UDP and TCP. */
export async function dnsServer(serve: DnsServe): Promise<TestDnsServer> {
  const { udp, tcp, port } = await bindBoth()
  const sockets = new Set<Connection>()
  const questions: string[] = []
  const senders: number[] = []
  const ids: number[] = []
  const replies = (query: Buffer, over: DnsOver, sender = 0) => {
    const { id = 0, questions: [question] = [] } = dnsPacket.decode(query)
    ids.push(id)
    questions.push(`${over.toUpperCase()} ${question?.type} ${question?.name}`)
    return [serve(query, over, sender)]
      .flat()
      .filter((reply) => reply !== undefined)
      .map((reply) =>
        Buffer.isBuffer(reply)
          ? reply
          : dnsPacket.encode({ type: 'response', id, questions: question === undefined ? [] : [question], ...reply }),
      )
  }
  udp.on('message', (query, { port: sender }) => {
    senders.push(sender)
    for (const reply of replies(query, 'udp', sender)) udp.send(reply, sender, LOOPBACK)
  })
  tcp.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes: Buffer) => {
      for (const reply of replies(bytes.subarray(2), 'tcp')) socket.write(withLength(reply))
    })
  })
  onTestFinished(() => {
    udp.close()
    tcp.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port, questions, senders, ids, open: () => sockets.size }
}

/** Binds one port for both protocols: a free TCP port that is also free for UDP. */
async function bindBoth(): Promise<{ udp: Socket; tcp: Server; port: number }> {
  for (;;) {
    const tcp = createServer().listen(0, LOOPBACK)
    await once(tcp, 'listening')
    const address = tcp.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const udp = createSocket('udp4').bind(port, LOOPBACK)
    const isBound = await once(udp, 'listening').then(
      () => true,
      () => false,
    )
    if (isBound) return { udp, tcp, port }
    tcp.close()
  }
}

export function withLength(message: Buffer, length = message.length): Buffer {
  const prefix = Buffer.alloc(2)
  prefix.writeUInt16BE(length)
  return Buffer.concat([prefix, message])
}

/** Returns the question as its own answer, without records. */
export function emptyAnswer(question: Buffer, flags = 0): Buffer {
  const answer = Buffer.from(question)
  answer.writeUInt16BE(0x8180 | flags, 2)
  return answer
}

/** Response codes, which are the low bits of the flags. */
export const rcode = { servfail: 2, nxdomain: 3, notimp: 4, refused: 5 } as const
