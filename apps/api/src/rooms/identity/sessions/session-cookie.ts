import { stringifySetCookie } from 'cookie'

type Environment = { environment: 'local' | 'production' }

/** `__Host-`: a browser takes it over TLS alone, and from this very host. Local HTTP has no TLS to ask for. */
function hostCookie({ environment }: Environment, name: string): string {
  return environment === 'production' ? `__Host-${name}` : name
}

export function sessionCookieName(config: Environment): string {
  return hostCookie(config, 'prospect_session')
}

export function deviceCookieName(config: Environment): string {
  return hostCookie(config, 'prospect_device')
}

const DEVICE_COOKIE_SECONDS = 180 * 24 * 3_600

/** The `Set-Cookie` of a session that lasts at most so long; 0 takes the cookie away. */
export function sessionCookie(config: Environment, token: string, maxAgeSeconds: number): string {
  return setCookie(config, sessionCookieName(config), token, maxAgeSeconds)
}

/** The `Set-Cookie` by which a device is known again. */
export function deviceCookie(config: Environment, value: string): string {
  return setCookie(config, deviceCookieName(config), value, DEVICE_COOKIE_SECONDS)
}

function setCookie({ environment }: Environment, name: string, value: string, maxAge: number): string {
  const secure = environment === 'production'
  return stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge })
}
