import { z } from 'zod'

/** A person as shown to others. */
export const personRefSchema = z.object({ id: z.string(), name: z.string() }).meta({ id: 'PersonRef' })

/** The author of a change: a person, or a part of the system. */
export const actorRefSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('user'), id: z.string(), name: z.string() }),
    z.object({ kind: z.literal('system'), name: z.string() }),
  ])
  .meta({ id: 'ActorRef' })
