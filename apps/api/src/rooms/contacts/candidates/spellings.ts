import type { ContactValue } from '../../contact-gate/contact-gate.ts'
import type { ContactKind } from '../contacts.table.ts'

type Spelled = { kind: ContactKind; value: string | null; normalized: string | null }

/**
 * Returns the spellings of a value that are compared with the gate and with the record: as the page shows it, and its normalized form. Only the
 * normalized form of a written-out address (`info [at] …`) matches.
 */
export function spellingsOf({ kind, value, normalized }: Spelled): ContactValue[] {
  return [...new Set([value, normalized])].flatMap((spelling) => (spelling === null ? [] : [{ kind, value: spelling }]))
}
