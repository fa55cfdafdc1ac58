const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a cached formatter by name and zone, because creating one is slow. */
export function dateFormat(zone: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${zone}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })
  formats.set(key, made)
  return made
}

/** True if the browser knows the time zone. */
export function isZone(name: string): boolean {
  try {
    dateFormat(name, 'known', {})
    return true
  } catch {
    return false
  }
}
