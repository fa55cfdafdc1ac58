/**
 * Path, search and hash of `next` if it is a page of this app, otherwise undefined. `next` comes from the address and is therefore untrusted. The
 * sign-in page itself is excluded.
 */
export function ownPath(next: unknown, origin: string): string | undefined {
  if (typeof next !== 'string' || !URL.canParse(next, origin)) return undefined
  const url = new URL(next, origin)
  const path = `${url.pathname}${url.search}${url.hash}`
  // A path such as //evil.example/ resolves to another host, so the path must resolve to the same URL again.
  const isOwn = url.origin === origin && URL.canParse(path, origin) && new URL(path, origin).href === url.href
  return isOwn && !path.startsWith('/sign-in') ? path : undefined
}
