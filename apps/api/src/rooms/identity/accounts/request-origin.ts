import type { FastifyRequest } from 'fastify'

const MAX_AGENT_LENGTH = 300

/** The origin of a request, for the audit of accounts and the list of sessions. Both values can be forged by the sender. */
export type Client = { address: string | null; agent: string | null }

/** Returns the origin of a request. `address` is the peer's address, or the client's address if the peer is a proxy that `TRUST_PROXY` names. */
export function clientOf(request: FastifyRequest): Client {
  const agent = request.headers['user-agent']
  return { address: request.ip, agent: agent === undefined ? null : printable(agent).slice(0, MAX_AGENT_LENGTH) }
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
