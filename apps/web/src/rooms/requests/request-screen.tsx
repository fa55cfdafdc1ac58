import type { SubjectRequest } from '@prospect/api-client'
import { IconCalendarPlus, IconCheck, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { By, Fact, Facts } from '../../ui/layout/facts.tsx'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { TitledSection } from '../../ui/layout/titled-section.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import type { OpenQuickDialog } from '../../ui/prospects/quick-keys.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatDay } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { AnswerDialog } from './answer-dialog.tsx'
import { DueMark } from './due-mark.tsx'
import { EditRequestDialog } from './edit-request-dialog.tsx'
import { ExtendDialog } from './extend-dialog.tsx'
import { Collections, NextSteps } from './next-steps.tsx'
import { kindWords, outcomeWords, requesterText } from './request-words.ts'
import classes from './requests.module.css'
import { requestQuery } from './requests.queries.ts'
import { useProspectOf } from './use-prospect-of.ts'

/** `openDialog` opens a dialog that another room adds to a record, such as the block. */
type Props = { openDialog: OpenQuickDialog }

/** Page of a request: who asks, by when it is answered, and the acts that carry it out. */
export function RequestScreen({ openDialog }: Props) {
  const { requestId } = useParams({ from: '/desk/subject-requests/$requestId' })
  const request = useQuery(requestQuery(requestId))
  return (
    <Page width="text" back={<BackLink to="/subject-requests">Subject requests</BackLink>}>
      <RecordBody record={request} what="this request" lines={8}>
        {(loaded) => <RequestView key={loaded.id} request={loaded} openDialog={openDialog} />}
      </RecordBody>
    </Page>
  )
}

export function RequestView({ request, openDialog }: Props & { request: SubjectRequest }) {
  const { status, extension, emptiedAt } = request
  const isOpen = status !== 'answered'
  const [editing, extending, answering] = [useDialog(), useDialog(), useDialog()]
  const prospect = useProspectOf(request)
  const offer = { group: 'This request', permission: 'requests.manage' as const, asksMore: true }
  const edit: Action = {
    ...offer,
    id: 'request.edit',
    label: 'Edit the request',
    shortLabel: 'Edit',
    Icon: IconPencil,
    keys: 'e',
    unavailable: !isOpen || emptiedAt !== null,
    run: () => editing.open(),
  }
  const extend: Action = {
    ...offer,
    id: 'request.extend',
    label: 'Extend the time to answer',
    shortLabel: 'Extend',
    Icon: IconCalendarPlus,
    unavailable: !isOpen || extension !== null,
    run: () => extending.open(),
  }
  const answer: Action = {
    ...offer,
    id: 'request.answer',
    label: 'Record the answer',
    shortLabel: 'Record answer',
    Icon: IconCheck,
    unavailable: !isOpen,
    run: () => answering.open(),
  }
  useActions('screen', [edit, extend, answer])
  return (
    <>
      <PageHead
        title={`${kindWords[request.kind]}: ${requesterText(request)}`}
        tab="Subject request"
        lead={<DueMark request={request} />}
        actions={
          <>
            <ActionButton action={edit} variant="default" />
            <ActionButton action={extend} variant="default" />
            <ActionButton action={answer} />
          </>
        }
      />
      <TitledSection title="Request">
        <RequestFacts request={request} doNotContact={prospect?.doNotContact != null} />
      </TitledSection>
      {isOpen && (
        <TitledSection title="What to do">
          <NextSteps request={request} prospect={prospect} openDialog={openDialog} edit={edit} />
        </TitledSection>
      )}
      <Collections request={request} />
      <TitledSection title="What was done">
        <Acts request={request} />
      </TitledSection>
      {editing.slot((_, dialog) => (
        <EditRequestDialog request={request} {...dialog} />
      ))}
      {extending.slot((_, dialog) => (
        <ExtendDialog request={request} {...dialog} />
      ))}
      {answering.slot((_, dialog) => (
        <AnswerDialog request={request} {...dialog} />
      ))}
    </>
  )
}

function RequestFacts({ request, doNotContact }: { request: SubjectRequest; doNotContact: boolean }) {
  const { requester, business, extension, answer, emptiedAt } = request
  const isFilled = emptiedAt === null
  /** Texts that were entered after the deletion stay. */
  const isLeft = ({ at }: { at: string }) => emptiedAt === null || at > emptiedAt
  return (
    <Facts>
      {isFilled && (
        <>
          <Fact label="Who asks">
            <Name of={requester.name} />
          </Fact>
          <Fact label="Contact for the answer">
            {requester.contact === null ? 'Not entered yet' : <Name of={requester.contact} />}
          </Fact>
          <Fact label="Identity check">
            {request.identityCheck === null ? 'Not entered yet' : <Name of={request.identityCheck} />}
          </Fact>
        </>
      )}
      <Fact label="Prospect">
        {business === null ? (
          'None chosen'
        ) : (
          <Link to="/prospects/$businessId" params={{ businessId: business.id }}>
            <ProspectName name={business.name} doNotContact={doNotContact} />
          </Link>
        )}
      </Fact>
      <Fact label="Received on">
        <DateTime at={request.receivedAt} as="date" />
      </Fact>
      <Fact label="Entered by">
        <By person={request.createdBy} at={request.createdAt} />
      </Fact>
      {extension !== null && (
        <Fact label="Extended by">
          <By person={extension.by} at={extension.at} />. It was due on {formatDay(extension.from)}.
          {isLeft(extension) && extension.reason !== null && (
            <>
              {' '}
              Reason: <Name of={extension.reason} />
            </>
          )}
        </Fact>
      )}
      {answer !== null && (
        <>
          <Fact label="Answered by">
            <By person={answer.by} at={answer.at} />
          </Fact>
          <Fact label="Outcome">{outcomeWords[answer.outcome]}</Fact>
          {isLeft(answer) && answer.how !== null && (
            <Fact label="How you answered">
              <Name of={answer.how} />
            </Fact>
          )}
        </>
      )}
      {emptiedAt !== null && (
        <Fact label="Personal data">
          The name, the contact and the texts were deleted on <DateTime at={emptiedAt} as="date" />. The rest of the
          request stays as a record.
        </Fact>
      )}
    </Facts>
  )
}

function Acts({ request: { status, acts, foundActs, business, requester } }: { request: SubjectRequest }) {
  const isAnswered = status === 'answered'
  const shown = isAnswered ? acts : foundActs
  if (shown.length > 0)
    return (
      <ul className={classes.acts}>
        {shown.map((act) => (
          <li key={act.eventId}>
            <Link to="/audit" search={{ event: act.eventId }}>
              {act.label}
            </Link>
            , <By person={act.actor} at={act.at} />
          </li>
        ))}
      </ul>
    )
  if (isAnswered) return <p>The answer names no step.</p>
  return business === null && requester.contactKind === null ? (
    <p>Choose a prospect, or enter an email address or phone number, to see what was done about it.</p>
  ) : (
    <p>Nothing since the request was received.</p>
  )
}
