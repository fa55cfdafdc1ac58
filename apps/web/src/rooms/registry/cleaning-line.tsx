import type { RegistryState } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan, useSession } from '../../ui/api/session.ts'
import { countWords, plural } from '../../ui/text/count-words.ts'
import classes from './registry.module.css'
import { stateQuery } from './registry.queries.ts'
import { cleaningWords, registrationWarning } from './registry-words.ts'

/** Line above the list of prospects: when they were compared with the registry. Nothing in a workspace that uses no registry. */
export function CleaningLine() {
  const { data, isError } = useQuery(stateQuery)
  if (isError) return <p className={classes.line}>Registry: the last round could not be read</p>
  if (data === undefined || isUnused(data)) return null
  return (
    <p className={classes.line} data-due={data.isDue}>
      <Cleaning state={data} />
    </p>
  )
}

const isUnused = ({ cleanedAt, openRound, registration }: RegistryState) =>
  cleanedAt === null && openRound === null && registration.status === 'missing'

/** When the workspace was compared with the registry, what was added since, and the end of the registration. */
export function Cleaning({ state }: { state: RegistryState }) {
  const { timeZone } = useSession().tenant
  const canRead = useCan('registry.read')
  const { cleanedAt, unchecked, isUncheckedWhole, openRound, registration } = state
  const words = cleaningWords(state, timeZone)
  const warning = registrationWarning(registration)
  const added = isUncheckedWhole
    ? countWords(unchecked, 'prospect', 'prospects')
    : `More than ${countWords(unchecked, 'prospect', 'prospects')}`
  return (
    <>
      {canRead ? <Link to="/suppression/registry">{words}</Link> : words}.
      {cleanedAt !== null &&
        unchecked > 0 &&
        ` ${added} added since ${plural(unchecked, 'is', 'are')} not yet checked.`}
      {openRound !== null && ' A round is open.'}
      {warning !== null && ` ${warning}`}
    </>
  )
}
