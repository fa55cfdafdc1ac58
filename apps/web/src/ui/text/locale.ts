/** Locale of the workspace: the format of its dates and numbers, and the order of day and month in typed dates. */
import type { Locale } from '@prospect/api-client'

/** Until a session is adopted, the locale is the default of a new workspace. */
let adopted: Locale = 'en-ZA'

export const workspaceLocale = (): Locale => adopted

/** Called with the locale of each adopted session, before a screen renders with it. */
export function adoptLocale(locale: Locale): void {
  adopted = locale
}
