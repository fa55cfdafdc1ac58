/**
 * Returns the path, search and hash of `next` if it is a page of this app, otherwise undefined. `next` comes from the address, so anybody can
 * write it. The sign-in page itself is refused.
 */
export function ownPath(next: unknown, origin: string): string | undefined {
  if (typeof next !== 'string' || !URL.canParse(next, origin)) return undefined
  const url = new URL(next, origin)
  const path = `${url.pathname}${url.search}${url.hash}`
  // A path such as //evil.example/ resolves to another host, so it has to lead back to the same URL.
  const isOwn = url.origin === origin && URL.canParse(path, origin) && new URL(path, origin).href === url.href
  return isOwn && !path.startsWith('/sign-in') ? path : undefined
}
