import { ActionIcon, Button } from '@mantine/core'
import type { Role } from '@prospect/api-client'
import { getTileOptions, listDraftPoliciesOptions, listUsersOptions } from '@prospect/api-client/query'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCan, useSession } from '../../../ui/api/session.ts'
import { openTerms } from '../../../ui/prospects/open-terms.tsx'
import { pipelineQuery } from '../../../ui/prospects/pipeline-query.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import classes from './first-steps.module.css'

type StepsOf = Partial<Record<Role, () => ReactNode>>
const stepsOf: StepsOf = { operator: OperatorSteps, manager: ManagerSteps, administrator: AdministratorSteps }

/** What a person of the role does first. */
export function FirstSteps({ role, dismiss }: { role: Role; dismiss: () => void }) {
  const Steps = stepsOf[role]
  if (Steps === undefined) return null
  return (
    <section className={classes.panel} aria-label="First steps">
      <ol>
        <Steps />
        <li>
          Press <kbd>?</kbd> for the shortcuts and <kbd>Ctrl</kbd> <kbd>K</kbd> to find a prospect, a page or a command.{' '}
          <Button variant="subtle" size="compact-sm" onClick={openTerms}>
            What the words mean
          </Button>
        </li>
      </ol>
      <ActionIcon size={24} aria-label="Dismiss the first steps" onClick={dismiss}>
        <IconX size={15} aria-hidden />
      </ActionIcon>
    </section>
  )
}

/** Value of a tile of the dashboard; undefined until it is counted. */
function useTile(key: 'mine' | 'waiting'): number | undefined {
  const { data } = useQuery({ ...getTileOptions({ path: { key } }), enabled: useCan('dashboard.read') })
  return data?.value ?? undefined
}

function OperatorSteps() {
  const { user } = useSession()
  const mine = useTile('mine')
  return (
    <>
      <li>
        {mine === 0 ? (
          <>
            Nothing is assigned to you yet. Start with <Link to="/prospects">all prospects</Link>.
          </>
        ) : (
          <>
            <Link to="/prospects" search={{ assignee: user.id }}>
              Open your prospects
            </Link>
            {mine !== undefined && `: ${countWords(mine, 'is', 'are')} assigned to you`}.
          </>
        )}
      </li>
      <li>
        Open a prospect and press <kbd>i</kbd> to log a call with its outcome and its follow-up date.
      </li>
    </>
  )
}

function ManagerSteps() {
  const waiting = useTile('waiting')
  return (
    <>
      <li>
        {waiting === 0 ? 'Nothing waits for you.' : <Link to="/dashboard">See what waits for you</Link>}
        {waiting !== undefined &&
          waiting > 0 &&
          `: ${countWords(waiting, 'decision or answer', 'decisions and answers')}.`}
      </li>
      <li>
        <Link to="/reports/new">A report</Link> counts the calls of each person. You can also assign{' '}
        <Link to="/prospects" search={{ assignee: 'none' }}>
          prospects without an assignee
        </Link>{' '}
        can be assigned.
      </li>
    </>
  )
}

/** Set-up of a workspace. The ticks come from the workspace itself. */
function AdministratorSteps() {
  const { secondFactor } = useSession()
  const people = useQuery({ ...listUsersOptions({ query: { limit: 2 } }), enabled: useCan('users.manage') }).data
  const pipeline = useQuery(pipelineQuery).data
  const policies = useQuery({ ...listDraftPoliciesOptions(), enabled: useCan('drafts.read') }).data
  return (
    <>
      <Step isDone={people !== undefined && people.items.length > 1}>
        <Link to="/settings/people">Invite your colleagues</Link>.
      </Step>
      <Step isDone={secondFactor.enrolled}>
        <Link to="/profile/security">Add a second factor</Link> to your account.
      </Step>
      <Step isDone={pipeline?.states.some(({ kind, enabled }) => kind === 'set_aside' && enabled) === true}>
        <Link to="/settings">Choose the pipeline states</Link>: Paused is for prospects that are not interested now, and
        Disqualified is for prospects that do not fit.
      </Step>
      <Step isDone={policies?.items.some(({ state }) => state === 'approved') === true}>
        <Link to="/settings/draft-policies">Propose a draft policy</Link>. Another person approves the policy.
      </Step>
      <li>Ask the server operator to set up daily backups and to test a restore. This page cannot check backups.</li>
    </>
  )
}

function Step({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  return (
    <li data-done={isDone || undefined}>
      {children}
      {isDone && (
        <span className={classes.done}>
          <IconCheck size={15} aria-hidden /> Done
        </span>
      )}
    </li>
  )
}
