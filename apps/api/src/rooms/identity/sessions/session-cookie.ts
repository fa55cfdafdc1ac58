import { stringifySetCookie } from 'cookie'

type Environment = { environment: 'local' | 'production' }

/**
 * Returns the name of a cookie. In production it has the prefix `__Host-`: a browser accepts such a cookie over TLS only, and only from this host.
 * Local HTTP has no TLS.
 */
function hostCookie({ environment }: Environment, name: string): string {
  return environment === 'production' ? `__Host-${name}` : name
}

export function sessionCookieName(config: Environment): string {
  return hostCookie(config, 'prospect_session')
}

export function deviceCookieName(config: Environment): string {
  return hostCookie(config, 'prospect_device')
}

export function companyCookieName(config: Environment): string {
  return hostCookie(config, 'prospect_company')
}

const DEVICE_COOKIE_SECONDS = 180 * 24 * 3_600

/** Returns the `Set-Cookie` header of a session. A maximum age of 0 deletes the cookie. */
export function sessionCookie(config: Environment, token: string, maxAgeSeconds: number): string {
  return setCookie(config, sessionCookieName(config), token, maxAgeSeconds)
}

/** Returns the `Set-Cookie` header of the cookie by which a known device is recognised. */
export function deviceCookie(config: Environment, value: string): string {
  return setCookie(config, deviceCookieName(config), value, DEVICE_COOKIE_SECONDS)
}

/** Returns the `Set-Cookie` header of the cookie that binds a company sign-in to the browser that started it. */
export function companyCookie(config: Environment, secret: string, maxAgeSeconds: number): string {
  return setCookie(config, companyCookieName(config), secret, maxAgeSeconds)
}

function setCookie({ environment }: Environment, name: string, value: string, maxAge: number): string {
  const secure = environment === 'production'
  return stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge })
}
