import type { BlockedThrough } from '../../businesses/businesses.ts'

/** A sentence that names the id of a record, an entry or a count, and the event or entry that contradicts it. It contains no contact value. */
export type Disagreement = string

/** The last event that blocked a record or lifted its block, or that added or ended a suppression entry. */
type LastEvent = { eventSequence: number | null; eventAction: string | null; eventAt: string | null }

export type Mark = LastEvent & {
  id: string
  isMarked: 0 | 1
  through: BlockedThrough
  mergedInto: string | null
  /** id of an active suppression entry that matches the record */
  heldBy: string | null
  /** id of an active suppression entry that matches the record but not the record that it was merged into */
  notCarried: string | null
}

/**
 * Compares the do not contact mark of a record with its causes. A record must be blocked manually if the last event blocked it, and by suppression if
 * an active entry matches it.
 */
export function* markDisagreements(mark: Mark): Generator<Disagreement> {
  const { id, isMarked, through, heldBy, notCarried, mergedInto, eventAction } = mark
  if (isMarked === 0) {
    if (heldBy !== null) yield `Record ${id} is not do not contact, but suppression entry ${heldBy} matches it.`
  } else {
    if (through !== 'hand' && heldBy === null)
      yield `Record ${id} is do not contact by suppression, but no active entry matches it.`
    if (through === 'hand' && heldBy !== null)
      yield `Record ${id} is do not contact by hand alone, but suppression entry ${heldBy} matches it.`
    if (through !== 'suppression' && eventAction !== 'business.block')
      yield `Record ${id} is do not contact by hand, but ${eventAction === null ? 'no event blocked it' : `${nameOf(mark)} lifted the block`}.`
  }
  if (notCarried !== null)
    yield `Suppression entry ${notCarried} matches record ${id}, but not record ${mergedInto}, which it was merged into.`
}

export type BlockEvent = {
  sequence: number
  at: string
  businessId: string
  isThere: 0 | 1
  isByHand: 0 | 1
  /** true if a later event lifted the block */
  isLifted: 0 | 1
}

export function lostBlock({ sequence, at, businessId, isThere, isByHand, isLifted }: BlockEvent): Disagreement | null {
  if (isThere === 0)
    return `Record ${businessId} is missing, which event ${sequence} of ${at} (business.block) blocked.`
  if (isByHand === 1 || isLifted === 1) return null
  return `Record ${businessId} is not blocked by hand, but event ${sequence} of ${at} (business.block) blocked it and no event lifted the block.`
}

export type Entry = LastEvent & {
  id: string
  status: 'active' | 'removed'
  hasKeys: 0 | 1
  /** true if a key is live although the entry has ended, or not live although the entry is active */
  hasStrayKey: 0 | 1
  /** id of a record whose match contradicts the status of the entry */
  strayMatch: string | null
}

export function entryDisagreement(entry: Entry): Disagreement | null {
  const { id, status, hasKeys, hasStrayKey, strayMatch, eventAction } = entry
  const [isActive, isRemoved] = [status === 'active', eventAction === 'suppression.remove']
  const name = `Suppression entry ${id} ${isActive ? 'is active' : 'was removed'}`
  if (eventAction === null) return `No event added suppression entry ${id}.`
  if (isActive && isRemoved) return `${name}, but ${nameOf(entry)} removed it.`
  if (!isActive && !isRemoved) return `${name}, but no event removed it.`
  if (strayMatch !== null)
    return `${name}, but its match with record ${strayMatch} is ${isActive ? 'not' : 'still'} active.`
  if (hasStrayKey === 1) return `${name}, but one of its keys is ${isActive ? 'not' : 'still'} active.`
  if (hasKeys === 0) return `${name}, but has no key to match by.`
  return null
}

export type EntryEvent = { sequence: number; at: string; id: string }

export function missingEntry({ sequence, at, id }: EntryEvent): Disagreement {
  return `Suppression entry ${id} is missing, which event ${sequence} of ${at} added.`
}

export function unmatched({ businessId, suppressionId }: { businessId: string; suppressionId: string }): Disagreement {
  return `Record ${businessId} has a value that suppression entry ${suppressionId} forbids, but the entry does not match it.`
}

function nameOf({ eventSequence, eventAction, eventAt }: LastEvent): string {
  return `event ${eventSequence} of ${eventAt} (${eventAction})`
}
