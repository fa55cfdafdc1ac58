import type { Actor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { createBreather } from '../../../lib/event-loop.ts'
import { type ContactValue, recordKeysOf } from '../keys/contact-keys.rules.ts'
import { type GateReader, gate } from './gate.ts'
import { hidesValuesFrom } from './hidden-values.ts'

/*
 * The gate for stored values that mark no record: recipients, DNS records, URLs (`ContactText`). A write of a suppressed one is refused; one that is
 * suppressed later is hidden on read.
 */

/**
 * Requires that no live entry matches one of these values. `message`: the sentence for the person. `path`: the field of the request, if it is one.
 * Fails closed, as the gate does. Errors: `suppressed`.
 */
export async function requireMayBeStored(
  asker: GateReader & { actor: Pick<Actor, 'tenantId'> },
  values: readonly ContactValue[],
  { message, path }: { message: string; path?: string },
): Promise<void> {
  if ((await gate(asker, asker.actor.tenantId, values)).length === 0) return
  throw new AppError(
    'suppressed',
    message,
    path === undefined ? {} : { errors: [{ path, code: 'suppressed', message }] },
  )
}

/**
 * Returns the positions of the values that this reader may not see because a live entry matches them: none for readers with
 * `suppression.see_values`. Fails closed, as the gate does.
 */
export async function findHiddenValues(
  asker: GateReader,
  reader: Actor,
  values: readonly ContactValue[],
): Promise<ReadonlySet<number>> {
  if (values.length === 0 || !hidesValuesFrom(reader, { doNotContact: true })) return new Set()
  // A page of a list can contain thousands of values, such as the records of DNS observations.
  const breathe = createBreather()
  const keys: string[][] = []
  for (const value of values) {
    keys.push(recordKeysOf(value))
    await breathe()
  }
  return new Set((await gate(asker, reader.tenantId, values, keys)).map(({ index }) => index))
}
