import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { RoomOptions, RoomRoutes } from '../http/room.ts'
import type { LoadedAdapters } from '../load-adapters.ts'
import type { Tx } from '../store/change/change.ts'
import type { Store } from '../store/store.ts'
import type { Capability } from './define-facts.ts'
import type { ErasedCount } from './facts.ts'
import type { JobKind, JobKinds } from './jobs/jobs.ts'

/** Behaviour of a room. Each `<room>.room.ts` exports one, and `rooms/index.ts` lists them. `<room>.facts.ts` contains the room's declarations. */
export type Room = {
  /** the name of its folder and of its facts */
  name: string
  /** registered below /api/v1 */
  routes?: readonly RoomRoutes<RoomContext>[]
  jobKinds?: readonly JobKind[]
  /** kinds of jobs for development only */
  localJobKinds?: readonly JobKind[]
  /** runs once, before any loop and any request */
  atStart?(context: LoopContext): Promise<void>
  loops?: readonly Loop[]
  /** returns the differences from the declared capability for this tenant in the running program */
  capability?(context: CapabilityContext): Partial<Capability> | Promise<Partial<Capability>>
  /**
   * empties the rows of these businesses in the room's tables, in the transaction of their erasure; the rows themselves remain; returns a number for
   * each of the room's `erasedCounts`; called once for a business and all records merged into it, in the order of rooms
   */
  erase?(tx: Tx, businessIds: readonly string[], erasure: Erasure): Promise<Erased>
}

/** Context of a room's routes. A room names the part that it uses: `RoomRoutes<Pick<RoomContext, 'config'> & RoomOptions>`. */
export type RoomContext = RoomOptions & {
  config: Config
  /** loaded from ADAPTERS_FILE */
  adapters: LoadedAdapters
  /** the job kinds of all rooms */
  kinds: JobKinds
  rooms: readonly Room[]
}

/** Context on which a capability may depend. */
export type CapabilityContext = { store: Store; tenantId: string; adapters: LoadedAdapters }

/** Background work, from the start of the program to its end. */
export type Loop = {
  name: string
  /** started when the server listens, and stopped with it while the last requests end; for work that requests wait for */
  whenListening?: true
  /** called before requests are answered; work that it does not await runs while they are */
  start(context: LoopContext): RunningLoop | Promise<RunningLoop>
}
export type LoopContext = {
  store: Store
  config: Config
  /** loaded from ADAPTERS_FILE */
  adapters: LoadedAdapters
  log: FastifyBaseLogger
  kinds: JobKinds
}
/** `stop` waits until the current work has ended. */
export type RunningLoop = { stop(): void | Promise<void> }

export type Erasure = {
  dataDir: string
  /** reports and exports that earlier rooms emptied */
  emptiedRequests: readonly string[]
}
export type Erased = {
  counts?: Readonly<Partial<Record<ErasedCount, number>>>
  /** reports and exports that this room emptied; the audit events that requested them are emptied too */
  emptiedRequests?: readonly string[]
}
