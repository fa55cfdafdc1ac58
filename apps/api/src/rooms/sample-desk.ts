import type { UserActor } from '../lib/actor.ts'
import type { AuditAction } from '../lib/declared.ts'
import type { LoadedAdapters } from '../load-adapters.ts'
import type { Tx, Unchanged } from '../store/change/change.ts'
import type { Store } from '../store/store.ts'

/** A prospect of the sample, with the values that the rooms use. None of them is marked do not contact. */
export type SampleProspect = {
  id: string
  name: string
  email: string | null
  phone: string | null
  /** country of a number in local form; null if the record has none, so that the number is uncertain */
  phoneRegion: string | null
  domain: string | null
  /** true if people have worked on it */
  isWorked: boolean
}

/**
 * A sample workspace while it is filled. A room adds what its screens show, by the functions that its routes use, so that a sample passes the same checks
 * and is audited like other work.
 */
export type SampleDesk = {
  store: Store
  tenantId: string
  adapters: LoadedAdapters
  timeZone: string
  now: Date
  people: {
    /** the person who signs in to look around */
    administrator: UserActor
    manager: UserActor
    operators: readonly [UserActor, UserActor]
  }
  prospects: readonly SampleProspect[]
  /** the page that the scanning room supplied; its content is in the memory of this process */
  suppliedPage?: { businessId: string; scanId: string }
  /** makes one change as a person */
  as<T>(person: UserActor, action: AuditAction, work: (tx: Tx) => Promise<T | Unchanged<T>>): Promise<T>
}
