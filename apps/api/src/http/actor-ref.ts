import { z } from 'zod'

/** Schema of a person as other people see them. */
export const personRefSchema = z.object({ id: z.string(), name: z.string() }).meta({ id: 'PersonRef' })

/** Schema of the author of a change: a person, or a part of the system. */
export const actorRefSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('user'), id: z.string(), name: z.string() }),
    z.object({ kind: z.literal('system'), name: z.string() }),
  ])
  .meta({ id: 'ActorRef' })

/** Schema of the access token with which a program acted for a person. */
export const tokenRefSchema = z.object({ id: z.string(), name: z.string() }).meta({ id: 'TokenRef' })
