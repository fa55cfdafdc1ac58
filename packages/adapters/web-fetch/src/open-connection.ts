import { once } from 'node:events'
import { webLimits } from '@prospect/adapter-contract/web-page'
import { encrypt } from '@prospect/http-exchange/encrypt'
import type { Connection } from '@prospect/http-exchange/exchange'
import { codeOf, Stopped } from '@prospect/http-exchange/stopped'
import type { Dial } from './dial.ts'
import { isSameAddress } from './judge-addresses.ts'

/** Error codes for failures of this machine: it has no network, or no socket is left. */
const ownFailures = new Set(['EMFILE', 'ENFILE', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'])

/**
 * Opens one socket to this address and to no other. The host name is used only for TLS. The socket is destroyed when `signal` aborts. Errors:
 * `connection_failed` and `tls_failed`, with the cause `timeout` if the host is silent; `peer_mismatch`.
 */
export async function openConnection(
  url: URL,
  address: string,
  { dial, ca, signal }: { dial: Dial; ca: string | undefined; signal: AbortSignal },
): Promise<Connection> {
  const isSecure = url.protocol === 'https:'
  const { socket, peer } = dial(address, isSecure ? 443 : 80)
  socket.on('error', () => {})
  signal.addEventListener('abort', () => socket.destroy())
  const slow = AbortSignal.any([signal, AbortSignal.timeout(webLimits.connectMs)])
  await once(socket, 'connect', { signal: slow }).catch((error) => {
    if (slow.aborted) throw new Stopped('connection_failed', 'target', 'timeout')
    throw new Stopped('connection_failed', ownFailures.has(codeOf(error)) ? 'transport' : 'target')
  })
  if (!isSameAddress(peer() ?? '', address)) throw new Stopped('peer_mismatch')
  const stream = isSecure ? await encrypt(socket, { host: url.hostname, ca, signal: slow }) : socket
  return { stream, bytesReceived: () => socket.bytesRead }
}
