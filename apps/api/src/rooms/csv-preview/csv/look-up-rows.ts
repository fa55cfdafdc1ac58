import { identityOf } from '../../normalization/normalization.ts'
import type { Match } from './analysis.ts'
import type { CellValue } from './cell-values.rules.ts'
import type { CheckedRow, ContactCell } from './check-row.rules.ts'
import { mix } from './hash.ts'
import type { KnownValues } from './known-values.ts'
import type { SuppressionCheck } from './suppressed-values.ts'

const identifierKinds = ['email', 'phone', 'domain'] as const

/** Records and do-not-contact entries that match a row. `isUnchecked`: the suppression check failed, and the row must not be contacted. */
export type FoundRow = {
  matches: Match[]
  /** columns with a suppressed value */
  suppressed: number[]
  isBlocked: boolean
  isUnchecked: boolean
}

/**
 * Creates the look-ups of rows in the store: records with their values, and the do-not-contact list. After the suppression check has failed once, it
 * is not called again, and no row counts as free to contact (fails closed).
 */
export function createLookUps(suppression: SuppressionCheck, known: KnownValues) {
  let isAnswering = true

  /** Returns the indexes of the suppressed cells, or null after the suppression check has failed. */
  async function ask(cells: readonly ContactCell[]): Promise<ReadonlySet<number> | null> {
    if (!isAnswering) return null
    if (cells.length === 0) return new Set()
    try {
      return await suppression.suppressed(cells)
    } catch {
      // The preview and the audit report these rows as unknown. The rest of the preview stays valid.
      isAnswering = false
      return null
    }
  }

  /** Returns the suppressed columns by row, or null after the suppression check has failed. */
  async function suppressedOf(rows: ReadonlyMap<number, CheckedRow>): Promise<Map<number, number[]> | null> {
    const asked: ContactCell[] = []
    const rowOf: number[] = []
    for (const [row, { contacts }] of rows) {
      for (const contact of contacts) {
        if (!suppression.mayMatch(contact)) continue
        asked.push(contact)
        rowOf.push(row)
      }
    }
    const found = new Map<number, number[]>()
    for (const at of (await ask(asked)) ?? []) {
      const row = rowOf[at]
      const one = asked[at]
      if (row !== undefined && one !== undefined) found.set(row, [...(found.get(row) ?? []), one.column])
    }
    return isAnswering ? found : null
  }

  return {
    isAnswering: () => isAnswering,
    /** Reads changed suppression entries before the next rows. */
    async prepare(): Promise<void> {
      if (!isAnswering) return
      try {
        await suppression.prepare()
      } catch {
        isAnswering = false
      }
    },
    /** Looks up rows, by row number. */
    async find(rows: ReadonlyMap<number, CheckedRow>): Promise<Map<number, FoundRow>> {
      const suppressed = await suppressedOf(rows)
      const holders = holdersOnce(known)
      const found = new Map<number, FoundRow>()
      for (const [row, { contacts, said }] of rows) {
        const matches: Match[] = []
        for (const [{ column, kind }, { text, normalized }] of identifiersOf(contacts)) {
          if (identityOf(kind, text, normalized) !== normalized || !known.mayHold(mix(kind, normalized))) continue
          for (const { id, name, doNotContact } of await holders(kind, normalized))
            matches.push({ column, kind, businessId: id, name, doNotContact })
        }
        const columns = suppressed?.get(row) ?? []
        const isBlocked = said === 'yes' || columns.length > 0 || matches.some((match) => match.doNotContact)
        const isUnchecked = !isBlocked && suppressed === null && contacts.length > 0
        found.set(row, { matches, suppressed: columns, isBlocked, isUnchecked })
      }
      return found
    },
    /** Returns the indexes of texts that contain a suppressed value of any kind, or null after the suppression check has failed. */
    async suppressedTexts(texts: readonly string[], region: string | null): Promise<ReadonlySet<number> | null> {
      const cells = texts.flatMap((value) =>
        identifierKinds.map((kind) => ({ column: 0, kind, value, region, normalized: null, within: [] })),
      )
      const found = await ask(cells)
      return found === null ? null : new Set([...found].map((index) => Math.floor(index / identifierKinds.length)))
    },
  }
}

/** Returns the values of each cell, with their texts. */
export function identifiersOf(contacts: readonly ContactCell[]): [ContactCell, CellValue][] {
  return contacts.flatMap((contact) => {
    const { value, normalized, within } = contact
    const values = normalized === null ? within : [{ text: value, normalized }]
    return values.map((one): [ContactCell, CellValue] => [contact, one])
  })
}

/** Caches the lookup of each value, because every row of a file can have the same number. */
function holdersOnce(known: KnownValues): KnownValues['holders'] {
  const asked = new Map<string, ReturnType<KnownValues['holders']>>()
  return (kind, normalized) => asked.getOrInsertComputed(`${kind} ${normalized}`, () => known.holders(kind, normalized))
}
