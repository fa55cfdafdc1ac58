import type { ExpectedHosts, HostRefusal } from '@prospect/hosts'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/app-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** answers under each valid name: health routes, as monitoring asks by address or by an internal name */
    anyHost?: true
  }
}

/** Refuses a request for a host that is not expected, before any other check. Errors: `invalid_request`, `misdirected_request`. */
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
        'This service does not answer under this name. Its operator adds the name to PUBLIC_HOSTS.',
      )
  }
}
