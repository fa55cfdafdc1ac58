import type { DraftCheck } from '@prospect/api-client'
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../ui/api/session.ts'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { focusPart, placeOf } from './check-places.ts'
import { checkNames, resultWords } from './draft-words.ts'
import classes from './drafts.module.css'

const icons = { pass: IconCheck, fail: IconX, unknown: IconAlertTriangle, not_applicable: IconMinus } as const

type Props = { checks: readonly DraftCheck[]; businessId: string }

/** List of checks. Each has its result as word and icon, an explanation, the next step, and a link to its place. */
export function ChecksList({ checks, businessId }: Props) {
  return (
    <ul className={classes.rows} aria-label="Checks">
      {checks.map((check) => (
        <li key={check.key}>
          <Result check={check} /> <b>{checkNames[check.key]}</b>: {localSentence(check.message)}
          {check.action !== null && ` ${check.action}`} <PlaceLink check={check} businessId={businessId} />
        </li>
      ))}
    </ul>
  )
}

function Result({ check: { result } }: { check: DraftCheck }) {
  const Icon = icons[result]
  return (
    <span className={classes.check} data-result={result}>
      <Icon size={14} stroke={2} aria-hidden />
      {resultWords[result]}
    </span>
  )
}

function PlaceLink({ check, businessId }: { check: DraftCheck; businessId: string }) {
  const place = placeOf(check)
  const canReadRegistry = useCan('registry.read')
  const about = <span className="pp-visually-hidden">: {checkNames[check.key]}</span>
  if (place.at === 'registry') return canReadRegistry && <Link to="/suppression/registry">Open the rounds{about}</Link>
  if (place.at === 'policies') return <Link to="/settings/draft-policies">Open the policies{about}</Link>
  if (place.at === 'record')
    return (
      <Link
        to="/prospects/$businessId"
        params={{ businessId }}
        search={place.tab === undefined ? {} : { tab: place.tab }}
      >
        Open the prospect{about}
      </Link>
    )
  return (
    <a
      href={`#${place.id}`}
      onClick={(event) => {
        event.preventDefault()
        focusPart(place.id)
      }}
    >
      Go to it{about}
    </a>
  )
}
