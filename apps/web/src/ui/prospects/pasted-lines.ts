/** Lines that another screen passes to the form for many entries of the do-not-contact list. The person previews and adds them. */
export type PastedLines = { text: string; region: string | null }

declare module '@tanstack/react-router' {
  interface HistoryState {
    pastedLines?: PastedLines
  }
}
