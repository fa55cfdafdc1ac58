import type { DraftCheck } from '@prospect/api-client'

/** The place that a check is about: an element of this page, the prospect, or the settings of policies. */
export type CheckPlace =
  | { at: 'part'; id: string }
  | { at: 'record'; tab?: 'drafts' | 'assistance' }
  | { at: 'policies' }

/** The place of a check that names none, because it passes. */
const usualPaths: Record<DraftCheck['key'], string> = {
  scope: 'business',
  recipient: 'recipient',
  suppression: 'recipient',
  legal_basis: 'legal-bases',
  policy: 'policy',
  merge_fields: 'text',
  citations: 'citations',
  evidence: 'citations',
  freshness: 'citations',
  uncertainty: 'citations',
  ai_origin: 'suggestion',
  content: 'text',
  caps: 'caps',
  approval: 'approval',
}

/** Returns the place of a check. Parts have the ids `draft-recipient`, `draft-text`, `draft-citations-1` and so on. */
export function placeOf({ key, path }: Pick<DraftCheck, 'key' | 'path'>): CheckPlace {
  const about = path ?? usualPaths[key]
  switch (about) {
    case 'business':
      return { at: 'record' }
    case 'legal-bases':
      return { at: 'record', tab: 'drafts' }
    case 'suggestion':
      return { at: 'record', tab: 'assistance' }
    case 'policy':
    case 'caps':
      return { at: 'policies' }
    default:
      return { at: 'part', id: `draft-${about.replace('.', '-')}` }
  }
}

/** Parts that a page may lack, with the part that shows the same: the quotes of an editor are fields, those of a draft are one list. */
const standsIn: [part: RegExp, other: string][] = [
  [/^draft-citations-\d+$/, 'draft-citations'],
  [/^draft-(citations|subject|noCitationReason)$/, 'draft-text'],
]

/** Moves the focus to a part, or to the one that stands in for it. */
export function focusPart(id: string): void {
  const found = document.getElementById(id)
  if (found !== null) {
    found.focus()
    found.scrollIntoView({ block: 'center' })
    return
  }
  const other = standsIn.find(([part]) => part.test(id))?.[1]
  if (other !== undefined) focusPart(other)
}
