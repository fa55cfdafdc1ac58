import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import net from 'node:net'

/*
 * Loaded before all other code by the test that no connection is opened. Records and rejects every attempt in three places: the function through
 * which every TCP connection is opened, the resolver, and the constructor of datagram sockets.
 */
const file = process.env.OUTBOUND_WATCH_FILE ?? ''

function refuse(what: string): never {
  appendFileSync(file, `${what}\n`)
  throw new Error(`An outbound connection was attempted: ${what}`)
}

net.Socket.prototype.connect = () => refuse('a TCP connection')
dgram.createSocket = () => refuse('a datagram socket')
for (const name of ['resolve', 'resolve4', 'resolve6', 'resolveMx', 'resolveNs', 'resolveTxt', 'reverse'] as const) {
  Object.assign(dns, { [name]: () => refuse(`dns.${name}`) })
  Object.assign(dns.promises, { [name]: () => refuse(`dns.promises.${name}`) })
  for (const resolver of [dns.Resolver, dns.promises.Resolver])
    Object.assign(resolver.prototype, { [name]: () => refuse(`a resolver's ${name}`) })
}

const lookup = dns.lookup
/** An IP address is allowed, because a listening server looks up its own address, which sends no query. */
Object.assign(dns, {
  lookup: (hostname: string, ...rest: unknown[]) =>
    net.isIP(hostname) === 0 ? refuse(`dns.lookup ${hostname}`) : Reflect.apply(lookup, dns, [hostname, ...rest]),
})
