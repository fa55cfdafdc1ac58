import { contentSecurityPolicy, newNonce } from './security-headers.ts'

const placeholder = '__CSP_NONCE__'

/** The page of every address of the app, each time with a nonce of its own; therefore never cached. */
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
