import { Button } from '@mantine/core'
import type { SubjectRequest } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useCan } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { By, Fact, Facts } from '../../ui/layout/facts.tsx'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatDay } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { AnswerDialog } from './answer-dialog.tsx'
import { DueMark } from './due-mark.tsx'
import { ExtendDialog } from './extend-dialog.tsx'
import { HoldingDialog } from './holding-dialog.tsx'
import { hints, kindWords, outcomeWords } from './request-words.ts'
import { requestQuery } from './requests.queries.ts'

/** Page of a request: who asks, by when it is answered, and the acts that carry it out. */
export function RequestScreen() {
  const { requestId } = useParams({ from: '/desk/subject-requests/$requestId' })
  const request = useQuery(requestQuery(requestId))
  return (
    <Page width="text" back={<BackLink to="/subject-requests">Subject requests</BackLink>}>
      <RecordBody record={request} what="this request" lines={8}>
        {(loaded) => <Request request={loaded} />}
      </RecordBody>
    </Page>
  )
}

function Request({ request }: { request: SubjectRequest }) {
  const canManage = useCan('requests.manage') && request.status !== 'answered'
  const [answering, extending] = [useDialog(), useDialog()]
  return (
    <>
      <PageHead
        title={`${kindWords[request.kind]}: ${nameText(request.requester.name)}`}
        tab="Subject request"
        lead={<DueMark request={request} />}
        actions={
          canManage && (
            <>
              {request.extension === null && (
                <Button variant="default" onClick={() => extending.open()}>
                  Extend…
                </Button>
              )}
              <Button onClick={() => answering.open()}>Record answer…</Button>
            </>
          )
        }
      />
      <RequestFacts request={request} />
      {request.status !== 'answered' && <p>{hints[request.kind]}</p>}
      <Held request={request} />
      <h2>{request.status === 'answered' ? 'Acts' : 'Acts since the request was received'}</h2>
      <Acts request={request} />
      {extending.slot((_, dialog) => (
        <ExtendDialog request={request} {...dialog} />
      ))}
      {answering.slot((_, dialog) => (
        <AnswerDialog request={request} {...dialog} />
      ))}
    </>
  )
}

/** Collects everything held about the prospect of the request. */
function Held({ request: { business } }: { request: SubjectRequest }) {
  const canCollect = useCan('holdings.create')
  const collecting = useDialog()
  if (!canCollect || business === null || business.isErased) return null
  return (
    <>
      <Button variant="default" onClick={() => collecting.open()}>
        Everything held…
      </Button>
      {collecting.slot((_, { close }) => (
        <HoldingDialog about={{ businessId: business.id }} name={nameText(business.name)} close={close} />
      ))}
    </>
  )
}

function RequestFacts({ request }: { request: SubjectRequest }) {
  const { requester, business, extension, answer } = request
  return (
    <Facts>
      <Fact label="Answered at">{requester.contact !== null && <Name of={requester.contact} />}</Fact>
      <Fact label="Identity">
        {request.identityCheck === null ? 'Not checked yet' : <Name of={request.identityCheck} />}
      </Fact>
      <Fact label="Prospect">
        {business !== null && (
          <Link to="/prospects/$businessId" params={{ businessId: business.id }}>
            <Name of={business.name} />
          </Link>
        )}
      </Fact>
      <Fact label="Received">
        <DateTime at={request.receivedAt} as="date" />
      </Fact>
      <Fact label="Entered by">
        <By person={request.createdBy} at={request.createdAt} />
      </Fact>
      {extension !== null && (
        <Fact label="Extended by">
          <By person={extension.by} at={extension.at} /> from {formatDay(extension.from)}:{' '}
          <Name of={extension.reason ?? ''} />
        </Fact>
      )}
      {answer !== null && (
        <Fact label="Answered by">
          <By person={answer.by} at={answer.at} />: {outcomeWords[answer.outcome]}. <Name of={answer.how ?? ''} />
        </Fact>
      )}
      {request.emptiedAt !== null && (
        <Fact label="Data of the person">
          Deleted on <DateTime at={request.emptiedAt} as="date" />. The request itself remains.
        </Fact>
      )}
    </Facts>
  )
}

function Acts({ request: { status, acts, foundActs } }: { request: SubjectRequest }) {
  const shown = status === 'answered' ? acts : foundActs
  if (shown.length === 0) return <Empty title={status === 'answered' ? 'The answer names no act' : 'No acts yet'} />
  return (
    <ul>
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
}
