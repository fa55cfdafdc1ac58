const DAY_MS = 86_400_000

export function daysAfter(at: string, days: number): string {
  return new Date(Date.parse(at) + days * DAY_MS).toISOString()
}
