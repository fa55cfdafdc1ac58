/** Locale and time zone of the workspace: the format of its dates and numbers, and the order of day and month in typed dates. */
import type { Locale } from '@prospect/api-client'

/** Until a session is adopted, the values are the defaults of a new workspace. */
let adopted: { locale: Locale; timeZone: string } = { locale: 'en-ZA', timeZone: 'Africa/Johannesburg' }

export const workspaceLocale = (): Locale => adopted.locale

export const workspaceZone = (): string => adopted.timeZone

/** Called with the workspace of each adopted session, before a screen renders with it. */
export function adoptLocale(locale: Locale, timeZone = adopted.timeZone): void {
  adopted = { locale, timeZone }
}
