import type { AskedText, HiddenFieldsGate } from './http/hidden-fields.ts'
import type { UserActor } from './lib/actor.ts'
import { findBlockedAbove } from './rooms/businesses/businesses.ts'
import { findHiddenValues, HIDDEN, hidesValuesFrom } from './rooms/contact-gate/contact-gate.ts'
import { findTextsOfBlockedRecords } from './rooms/domains/domains.ts'
import type { Store } from './store/store.ts'

/**
 * Limits of the texts of one response that are read for a reader from whom values can be hidden; `docs/limits.md` lists them. A longer text, and texts
 * beyond the sum, are hidden without reading them. Of the longest text that a person may write, 5,000 characters are stored.
 */
export const hiddenFieldLimits = { textLength: 10_000, textsLength: 500_000 } as const

/** Returns what the response hook asks the rooms about values and records. */
export function hiddenFieldsGate(store: Store): HiddenFieldsGate {
  const asker = { db: store.reader, keys: store.keys }
  return {
    mask: HIDDEN,
    hidesFrom: (reader) => hidesValuesFrom(reader, { doNotContact: true }),
    findHidden: async (reader, texts) => {
      const isRead = createReadingLimit()
      const read = texts.flatMap((asked, index) => (isRead(asked) ? [{ ...asked, index }] : []))
      const values = read.map(({ kind, text: value }) => ({ kind, value }))
      const suppressed = await findHiddenValues(asker, reader, values)
      const ofRecords = await findOfRecords(store, reader, read)
      const shown = new Set(
        read.flatMap((asked, at) => (suppressed.has(at) || ofRecords.has(asked.text) ? [] : [asked.index])),
      )
      return new Set(texts.keys()).difference(shown)
    },
    findBlocked: async (reader, businessIds) => findBlockedAbove(store.reader, reader.tenantId, businessIds),
  }
}

/** Returns the texts that name a domain of a do-not-contact record, of those that are asked about it. */
async function findOfRecords(
  store: Store,
  reader: UserActor,
  texts: readonly AskedText[],
): Promise<ReadonlySet<string>> {
  const asked = texts.flatMap(({ ofRecords, text }) => (ofRecords ? [text] : []))
  return asked.length === 0 ? new Set() : findTextsOfBlockedRecords(store, reader.tenantId, asked)
}

/** Returns a function that is true for texts which are read, in their order, until the limits are reached. */
function createReadingLimit(): (asked: AskedText) => boolean {
  let left: number = hiddenFieldLimits.textsLength
  return ({ text }) => {
    if (text.length > hiddenFieldLimits.textLength || text.length > left) return false
    left -= text.length
    return true
  }
}
