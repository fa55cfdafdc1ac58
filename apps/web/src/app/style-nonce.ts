/** The nonce that the web server gave this page; Mantine's own style elements carry it, so no inline style is let in blindly. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}

/** What keeps a page from scrolling under a dialog takes its nonce from this name, as bundlers once provided it. */
export function shareStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
}
