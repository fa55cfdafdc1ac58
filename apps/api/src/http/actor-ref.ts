import { z } from 'zod'

/** A person as others name them. */
export const personRefSchema = z.object({ id: z.string(), name: z.string() }).meta({ id: 'PersonRef' })

/** Whoever did something: a person, or a part of the system. */
export const actorRefSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('user'), id: z.string(), name: z.string() }),
    z.object({ kind: z.literal('system'), name: z.string() }),
  ])
  .meta({ id: 'ActorRef' })
