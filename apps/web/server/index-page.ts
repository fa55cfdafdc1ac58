import { contentSecurityPolicy, newNonce } from './security-headers.ts'

const placeholder = '__CSP_NONCE__'

/** HTML page for every address of the app, with a new nonce each time, so it must not be cached. */
export function indexPage(template: string): { html: string; headers: Record<string, string> } {
  const nonce = newNonce()
  return {
    html: template.replaceAll(placeholder, nonce),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy(nonce),
    },
  }
}
