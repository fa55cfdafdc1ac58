/** Time zone abbreviations that have only one offset, in minutes. `CST` and `IST` are ambiguous and therefore missing. */
const zones: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  WAT: 60,
  CET: 60,
  BST: 60,
  SAST: 120,
  'South Africa Standard Time': 120,
  CAT: 120,
  EET: 120,
  CEST: 120,
  EAT: 180,
  EEST: 180,
  EST: -300,
  EDT: -240,
  MDT: -360,
  PST: -480,
  PDT: -420,
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const zoneForm =
  '(?:(?<zone>[A-Z]{3,4}|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)+)|(?<sign>[+-])(?<hours>\\d{2})(?<minutes>\\d{2})?)'
const clockForm = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})'
const digForm = new RegExp(`^\\w{3} (?<name>\\w{3}) +(?<day>\\d{1,2}) ${clockForm} ${zoneForm} (?<year>\\d{4})$`)
const kdigForm = new RegExp(`^(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2}) ${clockForm} ${zoneForm}$`)

/**
 * Converts the `WHEN:` line of dig, such as `Wed Nov 25 10:00:00 SAST 2026`, or the `Time` line of kdig, such as `2026-11-25 10:00:00 SAST`, to
 * RFC 3339. Returns null if the offset of the zone is unknown.
 */
export function readWhen(text: string): string | null {
  const parts = (digForm.exec(text) ?? kdigForm.exec(text))?.groups
  if (parts === undefined) return null
  const { name = '', month, day, hour, minute, second, zone, sign, hours, minutes = '0', year } = parts
  const index = month === undefined ? months.indexOf(name) : Number(month) - 1
  if (index === -1) return null
  const numeric = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const offset = zone === undefined ? numeric : zones[zone]
  if (offset === undefined) return null
  const local = Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second))
  if (new Date(local).getUTCDate() !== Number(day) || Number(hour) > 23) return null
  return new Date(local - offset * 60_000).toISOString()
}
