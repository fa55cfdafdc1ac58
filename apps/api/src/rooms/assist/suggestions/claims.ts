/* Words of previews and answers. The thread that examines texts needs them, so this file imports no schema. */

export const redactionKinds = ['email', 'phone', 'domain', 'link', 'number', 'secret', 'markup'] as const
export type RedactionKind = (typeof redactionKinds)[number]

export const withheldReasons = ['contact_value_left', 'too_long', 'too_many_values'] as const
export type WithheldReason = (typeof withheldReasons)[number]

/** A claim of an answer that passed, with its citations. */
export type Claim = { text: string; citations: { evidenceId: string; hash: string; quotes: string[] }[] }

export const dropReasons = [
  'quote_not_found',
  'item_unknown',
  'evidence_changed',
  'evidence_stale',
  'evidence_contradicted',
  'value_not_in_input',
  'too_long',
] as const
export type DropReason = (typeof dropReasons)[number]
