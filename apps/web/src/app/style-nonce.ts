/** The nonce that the web server gave this page; Mantine's own style elements carry it, so no inline style is let in blindly. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
