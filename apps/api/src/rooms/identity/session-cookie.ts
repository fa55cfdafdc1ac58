import { stringifySetCookie } from 'cookie'

type Environment = { environment: 'local' | 'production' }

/** `__Host-`: a browser takes it over TLS alone, and from this very host. Local HTTP has no TLS to ask for. */
export function sessionCookieName({ environment }: Environment): string {
  return environment === 'production' ? '__Host-prospect_session' : 'prospect_session'
}

/** The `Set-Cookie` of a session that lasts at most so long; 0 takes the cookie away. */
export function sessionCookie(config: Environment, token: string, maxAgeSeconds: number): string {
  return stringifySetCookie({
    name: sessionCookieName(config),
    value: token,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: config.environment === 'production',
    maxAge: maxAgeSeconds,
  })
}
