import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

/**
 * Runs `work` while every attempt to open a connection, to create a datagram socket or to resolve a name fails. Returns the attempts beside the result.
 * Other work of this process must not use the network meanwhile.
 */
export async function withoutNetwork<T>(work: () => Promise<T>): Promise<{ value: T; attempts: string[] }> {
  const attempts: string[] = []
  const refuse = (what: string) => () => {
    attempts.push(what)
    throw new Error(`The network is not available here: ${what}.`)
  }
  const { connect } = net.Socket.prototype
  const { createSocket } = dgram
  const { lookup } = dns
  const { resolve4, resolveMx } = dns.promises.Resolver.prototype
  net.Socket.prototype.connect = refuse('a TCP connection')
  dgram.createSocket = refuse('a datagram socket')
  Object.assign(dns, { lookup: refuse('a look-up of a name') })
  Object.assign(dns.promises.Resolver.prototype, { resolve4: refuse('a DNS query'), resolveMx: refuse('an MX query') })
  try {
    return { value: await work(), attempts }
  } finally {
    net.Socket.prototype.connect = connect
    dgram.createSocket = createSocket
    Object.assign(dns, { lookup })
    Object.assign(dns.promises.Resolver.prototype, { resolve4, resolveMx })
  }
}
