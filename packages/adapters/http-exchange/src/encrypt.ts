import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { Stopped } from './stopped.ts'

/**
 * Starts TLS on a connected socket. The certificate must match the name or the literal address. Errors: `tls_failed`, with the cause `timeout` if the
 * signal aborts first.
 */
export async function encrypt(
  socket: Socket,
  { host, ca, signal }: { host: string; ca: string | undefined; signal: AbortSignal },
): Promise<Socket> {
  // Set both options explicitly, because the environment can disable verification and allow older versions.
  const encrypted = connect({
    socket,
    host,
    // SNI accepts only names, not addresses.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ca,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  })
  encrypted.on('error', () => {})
  await once(encrypted, 'secureConnect', { signal }).catch(() => {
    throw signal.aborted ? new Stopped('tls_failed', 'target', 'timeout') : new Stopped('tls_failed')
  })
  return encrypted
}
