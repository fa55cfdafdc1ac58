/*
 * Rules that every approval by two people follows: who may not decide, when an approval ends, and the columns of a decision. A room with such an
 * approval has its own content, conditions and rows. README.md lists them.
 */
import { type Actor, type ActorRef, actorKey, actorRef } from '../../lib/actor.ts'
import { AppError, invalidField } from '../../lib/app-error.ts'
import { dayAt, endOfDay } from '../../lib/calendar.ts'
import type { Tx } from '../../store/change/change.ts'
import { getTenant } from '../identity/identity.ts'

/** A person in an actor column or in a response; null or undefined for a step that did not happen. */
type Author = string | ActorRef | null | undefined

/**
 * Requires that the person who decides took none of the steps before. `steps`: what each author did, in the words of the error, such as
 * `{ 'proposed this policy': row.proposed_by }`. An author can have been a part of the system. Errors: `own_approval`.
 */
export function requireOther(actor: Actor, steps: Readonly<Record<string, Author | readonly Author[]>>): void {
  const own = Object.entries(steps).find(([, authors]) => [authors].flat().some((author) => isAuthor(author, actor)))
  if (own !== undefined) throw ownApproval(own[0])
}

/** Returns the error for a person who took a step before the decision, such as 'wrote a version of this draft'. */
export function ownApproval(step: string): AppError {
  return new AppError('own_approval', `You ${step}. Another person must decide.`)
}

function isAuthor(author: Author, actor: Actor): boolean {
  if (author === null || author === undefined || actor.kind !== 'user') return false
  return (typeof author === 'string' ? author : author.kind === 'user' ? author.id : null) === actor.userId
}

/** The end of an approval in a request. `field`: its path. `days`: how many days ahead it can be. */
export type Term = { field: string; days: number }

/**
 * Returns the end of an approval, which is in the future and no later than the end of the last allowed day in the time zone of the workspace, because
 * people choose days. Errors: `invalid_request`.
 */
export async function requireEnd(tx: Tx, end: string | null | undefined, { field, days }: Term): Promise<string> {
  if (end == null) throw invalidField(field, 'required', 'Enter the end date.')
  if (end <= tx.at) throw invalidField(field, 'in_past', 'Enter an end date in the future.')
  const { timeZone } = await getTenant(tx.db, tx.actor.tenantId)
  const latest = dayAt(tx.at, timeZone).add({ days })
  if (end > endOfDay(latest, timeZone))
    throw invalidField(field, 'too_late', `It ends at most ${days} days from now, on ${latest.toString()}.`)
  return end
}

/** Columns of a decision. */
export type DecisionColumns = { decided_at: string; decided_by: string; decision_reason: string }

/** Returns the columns of a decision that is made now. */
export function decided(tx: Tx, reason: string): DecisionColumns {
  return { decided_at: tx.at, decided_by: actorKey(tx.actor), decision_reason: reason }
}

/** A decision in a response. */
export type Decision = { by: ActorRef; at: string; reason: string }

/** Returns the decision of a row; null if it is not decided. */
export function decisionOf(
  row: { [Column in keyof DecisionColumns]: DecisionColumns[Column] | null } & { decider_name: string | null },
): Decision | null {
  if (row.decided_at === null || row.decided_by === null) return null
  return { by: actorRef(row.decided_by, row.decider_name), at: row.decided_at, reason: row.decision_reason ?? '' }
}
