/** Nonce of the page, from the web server. Mantine's style elements use it, so that other inline styles stay blocked. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}

/** Publishes the nonce for react-remove-scroll, which blocks scrolling under dialogs and reads webpack's global. */
export function shareStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
}
