import { contentSecurityPolicy, newNonce } from './security-headers.ts'

const placeholder = '__CSP_NONCE__'

/** Links that prefetch the list of prospects (static-shell.ts). They are removed on other addresses, which show another screen. */
const firstScreen = /<!--first-screen-->.*?<!--\/first-screen-->/gs
const isOfList = (path: string) => path === '/' || /^\/prospects(\/|$)/.test(path)

/** HTML page for every address of the app, with a new nonce each time, so it must not be cached. */
export function indexPage(template: string, path: string): { html: string; headers: Record<string, string> } {
  const nonce = newNonce()
  return {
    html: (isOfList(path) ? template : template.replaceAll(firstScreen, '')).replaceAll(placeholder, nonce),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy(nonce),
    },
  }
}
