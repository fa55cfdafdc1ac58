import type { ExpectedHosts, HostRefusal } from '@prospect/hosts'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/app-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route answers under every valid host name. For health routes, because monitoring uses addresses and internal names. */
    anyHost?: true
  }
}

/** Registers a hook that refuses a request for an unexpected host before any other check. Errors: `invalid_request`, `misdirected_request`. */
export function registerExpectedHosts(app: FastifyInstance, hosts: ExpectedHosts): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { anyHost } = request.routeOptions.config
    const refusal = hosts.refusalOf(request, { anyHost })
    if (refusal === undefined) done()
    else done(errorOf(refusal))
  })
}

function errorOf(refusal: HostRefusal): AppError {
  switch (refusal) {
    case 'no_single_host':
      return new AppError('invalid_request', 'Send one Host header that names a host.')
    case 'unexpected_host':
      return new AppError(
        'misdirected_request',
        'This service does not respond to this host name. To allow it, the operator adds it to PUBLIC_HOSTS.',
      )
  }
}
