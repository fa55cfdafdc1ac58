import { inputLimits } from '../forms/input-limits.ts'

/** Lines that another screen passes to the form for many entries of the do-not-contact list. The person previews and adds them. */
export type PastedLines = { text: string; region: string | null }

/** Maximum number of lines of that form, which sends them in 20 parts. */
export const MOST_PASTED_LINES = 20 * inputLimits.pastedLineCount

declare module '@tanstack/react-router' {
  interface HistoryState {
    pastedLines?: PastedLines
  }
}
