import type { Session } from '@prospect/api-client'

/** The step that a session must complete before anything else is allowed. */
export type Hold = NonNullable<Session['hold']>
export type SecondFactorMethod = Session['secondFactor']['methods'][number]
