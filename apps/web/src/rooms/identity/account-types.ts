import type { Session } from '@prospect/api-client'

/** What a session owes before anything opens. */
export type Hold = NonNullable<Session['hold']>
export type SecondFactorMethod = Session['secondFactor']['methods'][number]
