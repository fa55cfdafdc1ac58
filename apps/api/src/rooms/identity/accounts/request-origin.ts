import type { FastifyRequest } from 'fastify'

const MAX_AGENT_LENGTH = 300

/** Where a request comes from, as the audit of accounts and the list of sessions show it. Both may be made up by the sender. */
export type Client = { address: string | null; agent: string | null }

/** The address is that of the peer, or what a proxy says that `TRUST_PROXY` names. */
export function clientOf(request: FastifyRequest): Client {
  const agent = request.headers['user-agent']
  return { address: request.ip, agent: agent === undefined ? null : printable(agent).slice(0, MAX_AGENT_LENGTH) }
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
