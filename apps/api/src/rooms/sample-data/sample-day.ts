import { randomBytes } from 'node:crypto'
import type { UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import type { LoadedAdapters } from '../../load-adapters.ts'
import { change } from '../../store/change/change.ts'
import type { Store } from '../../store/store.ts'
import { createUser, findUserId, getTenant, memberActor } from '../identity/identity.ts'
import type { Room } from '../room.ts'
import type { SampleDesk, SampleProspect } from '../sample-desk.ts'

/** Colleagues of the person who looks at the sample. Nobody knows their passwords; an administrator can reset them. */
const colleagues = [
  { name: 'Thandeka Mkhize', email: 'thandeka.mkhize@desk.example', role: 'operator' },
  { name: 'Pieter Botha', email: 'pieter.botha@desk.example', role: 'operator' },
  { name: 'Ayesha Naidoo', email: 'ayesha.naidoo@desk.example', role: 'manager' },
] as const

/** Adds the colleagues, unless they are there. Call this before prospects are assigned. Errors: `conflict` (an address belongs to another workspace). */
export async function addColleagues(store: Store, tenantId: string): Promise<void> {
  for (const { name, email, role } of colleagues)
    if ((await findUserId(store, email)) === undefined)
      await createUser(store, 'sample data', {
        tenantId,
        name,
        email,
        role,
        password: randomBytes(24).toString('base64url'),
      })
}

type Options = {
  store: Store
  tenantId: string
  adapters: LoadedAdapters
  rooms: readonly Room[]
  administratorId: string
  prospects: readonly SampleProspect[]
}

/** Lets each room add what its screens show: a desk in the middle of its week. */
export async function addSampleDay({
  store,
  tenantId,
  adapters,
  rooms,
  administratorId,
  prospects,
}: Options): Promise<void> {
  const personWith = async (userId: string | undefined): Promise<UserActor> => {
    const actor = userId && (await memberActor(store.reader, { tenantId, userId }, newId()))
    if (!actor) throw new AppError('conflict', 'A colleague of the sample is not a member of this workspace.')
    return actor
  }
  const [first, second, manager] = await Promise.all(
    colleagues.map(async ({ email }) => personWith(await findUserId(store, email))),
  )
  if (first === undefined || second === undefined || manager === undefined) return
  const administrator = await personWith(administratorId)
  const desk: SampleDesk = {
    store,
    tenantId,
    adapters,
    timeZone: (await getTenant(store.reader, tenantId)).timeZone,
    now: store.clock(),
    people: { administrator, manager, operators: [first, second] },
    prospects,
    as: async (person, action, work) => (await change(store, person, { permission: null, action }, work)).value,
  }
  for (const room of rooms) await room.sample?.(desk)
}
