import { sha256 } from '../../../lib/hashing.ts'
import { columnsText, contentText, linkText } from '../../../store/change/audit-chain.ts'
import { residueText } from '../../../store/change/audit-redaction.ts'
import type { EventWithRedaction } from '../verify-redactions.ts'

/*
 * Lines of a proof (docs/proof-format.md). A line is a word and a text. The text of an event is hashed exactly as it stands, so a verifier needs no
 * canonical form.
 */

type ProofHeader = {
  kind: 'chain' | 'inclusion'
  store: string
  tenant: string
  at: string
  /** public keys in PEM */
  keys: readonly string[]
}

export function headerLine({ kind, store, tenant, at, keys }: ProofHeader): string {
  return `prospect-proof ${JSON.stringify({ v: 1, kind, store, tenant, at, keys })}`
}

/** Returns the lines of an event with its content, or with what an erasure left of it. */
export function eventLines(event: EventWithRedaction): string[] {
  const { redacted_by: erasedBy, content_hash: erasedContent } = event
  if (erasedBy !== null) {
    const left = `erased ${erasedBy} ${residueText(event)}`
    return erasedContent === null ? [left] : [`link ${linkText(event, erasedContent)}`, left]
  }
  if (event.salt === null) return [`columns ${columnsText(event)}`]
  const content = contentText(event)
  return [`link ${linkText(event, sha256(content))}`, `content ${content}`]
}

/** Returns the line of an event without its content. Undefined for an event of the older forms, whose hash covers its content directly. */
export function hashOnlyLine(event: EventWithRedaction): string | undefined {
  const contentHash = event.content_hash ?? (event.salt === null ? undefined : sha256(contentText(event)))
  return contentHash === undefined ? undefined : `link ${linkText(event, contentHash)}`
}

export const checkpointLine = (text: string): string => `checkpoint ${text}`
export const endLine = (events: number): string => `end ${JSON.stringify({ events })}`
