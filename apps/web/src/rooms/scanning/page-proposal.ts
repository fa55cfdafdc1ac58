import { serverNow } from '../../ui/api/server-clock.ts'
import { localTime } from '../../ui/text/zone-time.ts'
import { roleOf, savedFrom } from './scan-words.ts'

/** Values that a saved file suggests. `savedAt` is exact to the second. */
export type PageProposal = { url: string; role: string | null; capturedAt: string; savedAt: string | null }

/** A file that was dropped onto a record, and what it suggests. */
export type DroppedPage = { file: File; proposal: PageProposal }

export const nothingProposed: PageProposal = { url: '', role: null, capturedAt: '', savedAt: null }

/** Reads the address from the comment of "Save page as", and the time from the file. */
export async function proposalFrom(file: File, zone: string): Promise<PageProposal> {
  const url = savedFrom(await file.slice(0, 4_096).text()) ?? ''
  const savedAt = new Date(Math.min(file.lastModified, serverNow().getTime())).toISOString()
  return { url, role: url === '' ? null : roleOf(url), capturedAt: localTime(savedAt, zone), savedAt }
}
