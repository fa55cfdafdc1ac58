/** True if a value is an id or a hash, which means nothing to users. */
export function isOpaque(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[0-9a-f]{32,}$/.test(value)
}
