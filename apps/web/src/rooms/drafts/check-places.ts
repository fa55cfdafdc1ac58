import type { DraftCheck } from '@prospect/api-client'

/** Place that a check refers to: an element of this page, the prospect, or the policy settings. */
export type CheckPlace =
  | { at: 'registry' }
  | { at: 'part'; id: string }
  | { at: 'record'; tab?: 'drafts' | 'assistance' }
  | { at: 'policies' }

/** Default path of each check, for a passed check, which has no path of its own. */
const usualPaths: Record<DraftCheck['key'], string> = {
  scope: 'business',
  recipient: 'recipient',
  suppression: 'recipient',
  registry: 'registry',
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

/** Place of a check. Elements have the ids `draft-recipient`, `draft-text`, `draft-citations-1` and so on. */
export function placeOf({ key, path }: Pick<DraftCheck, 'key' | 'path'>): CheckPlace {
  const about = path ?? usualPaths[key]
  switch (about) {
    case 'business':
      return { at: 'record' }
    case 'legal-bases':
      return { at: 'record', tab: 'drafts' }
    case 'suggestion':
      return { at: 'record', tab: 'assistance' }
    case 'registry':
      return { at: 'registry' }
    case 'policy':
    case 'caps':
      return { at: 'policies' }
    default:
      return { at: 'part', id: `draft-${about.replace('.', '-')}` }
  }
}

/** Replacements for elements that a page may lack. The editor has one field per quote, while the page of a draft lists them together. */
const replacements: [part: RegExp, other: string][] = [
  [/^draft-citations-\d+$/, 'draft-citations'],
  [/^draft-(citations|subject|noCitationReason)$/, 'draft-text'],
]

/** Moves the focus to an element, or to its replacement if the page lacks it. */
export function focusPart(id: string): void {
  const found = document.getElementById(id)
  if (found !== null) {
    found.focus()
    found.scrollIntoView({ block: 'center' })
    return
  }
  const other = replacements.find(([part]) => part.test(id))?.[1]
  if (other !== undefined) focusPart(other)
}
