/** Time zone abbreviations that have only one offset, in minutes. `CST` and `IST` are ambiguous and therefore missing. */
const zones: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  WAT: 60,
  CET: 60,
  BST: 60,
  SAST: 120,
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
const form = /^\w{3} (\w{3}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (?:([A-Z]{3,4})|([+-])(\d{2})(\d{2})?) (\d{4})$/

/** Converts the `WHEN:` line of dig, such as `Wed Nov 25 10:00:00 SAST 2026`, to RFC 3339. Returns null if the offset of the zone is unknown. */
export function readWhen(text: string): string | null {
  const [, month = '', day, hour, minute, second, zone, sign, hours, minutes = '0', year] = form.exec(text) ?? []
  const index = months.indexOf(month)
  if (index === -1) return null
  const numeric = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const offset = zone === undefined ? numeric : zones[zone]
  if (offset === undefined) return null
  const local = Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second))
  if (new Date(local).getUTCDate() !== Number(day) || Number(hour) > 23) return null
  return new Date(local - offset * 60_000).toISOString()
}
