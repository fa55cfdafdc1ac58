const formats = new Map<string, Intl.DateTimeFormat>()

/** Made once for each name and zone: to make one takes longer than to write many times with it. */
export function dateFormat(zone: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${zone}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })
  formats.set(key, made)
  return made
}

/** Whether it names a zone that this browser knows. */
export function isZone(name: string): boolean {
  try {
    dateFormat(name, 'known', {})
    return true
  } catch {
    return false
  }
}
