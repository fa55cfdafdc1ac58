import { Button, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { recordSourceIncident, type Source, type SourceIncident } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { type DialogProps, useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { oneOf } from '../../ui/forms/draft-fields.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { By } from '../../ui/layout/facts.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { IncidentDialogs, IncidentSteps, incidentState } from './incident-steps.tsx'
import { stopped } from './source-status.tsx'
import { circuitWords, codeWords } from './source-words.ts'
import classes from './sources.module.css'
import { incidentsOfQuery, refreshSources } from './sources.queries.ts'

type Kind = 'incident' | 'change'
type RecordProps = DialogProps & { source: Source; openingId: string }

/** State of the circuit breaker, and the first step to close it when it is open. */
export function CircuitPart({ source }: { source: Source }) {
  const { circuit } = source
  const canReset = useCan('sources.reset_circuit')
  const recording = useDialog()
  const incidents = useQuery({ ...incidentsOfQuery(source.id), enabled: circuit.state === 'open' })
  const current = incidents.data?.items.filter(({ isOfCurrentOpening }) => isOfCurrentOpening) ?? []
  return (
    <section aria-labelledby="circuit">
      <h2 id="circuit" className={classes.part}>
        Automatic stop
      </h2>
      <p>
        <StatusMark label={circuitWords[circuit.state]} {...(circuit.state === 'open' && stopped)} />
        {circuit.since !== null && (
          <>
            {' '}
            since <DateTime at={circuit.since} as="dateTime" />
          </>
        )}
        {circuit.state !== 'closed' && circuit.cause !== null && `: ${codeWords(circuit.cause)}`}
        {circuit.state === 'probation' &&
          `. ${circuit.successes} of ${circuit.successesNeeded ?? '?'} successes, one request at a time.`}
      </p>
      {circuit.state === 'open' && (
        <IncidentDialogs>
          <p className={classes.meta}>
            The source does not restart automatically. Record the incident or change, have another person approve the
            record, then use the record to restart the source within 7 days.
          </p>
          {current.length > 0 && (
            <ul className={classes.rows} aria-label="Records of this stop, newest first">
              {current.map((incident) => (
                <li key={incident.id}>
                  <div>
                    <b>{incidentState(incident)}</b>{' '}
                    <span className={classes.soft}>
                      <Name of={incident.description} />
                    </span>
                    <p className={classes.meta}>
                      <By person={incident.createdBy} at={incident.createdAt} />
                    </p>
                  </div>
                  <IncidentSteps incident={incident} />
                </li>
              ))}
            </ul>
          )}
          <div className={classes.actions}>
            {canReset && !current.some(isPending) && (
              <Button variant="default" onClick={() => recording.open()}>
                Record incident or change…
              </Button>
            )}
            <Link to="/sources/incidents">All incident records</Link>
          </div>
        </IncidentDialogs>
      )}
      {recording.slot(
        (_, dialog) =>
          circuit.openingId !== null && <RecordIncident source={source} openingId={circuit.openingId} {...dialog} />,
      )}
    </section>
  )
}

/** True for a record with which the source can still be restarted: a second one is not needed. */
const isPending = (incident: SourceIncident) =>
  ['Waiting for another person', 'Approved'].includes(incidentState(incident))

function RecordIncident({ source, openingId, close, reopen }: RecordProps) {
  const queryClient = useQueryClient()
  return (
    <FormDialog
      title="Record incident or change"
      submitLabel="Record"
      what="the record"
      initial={{ kind: 'incident' as Kind, description: '' }}
      validate={({ description }): FieldErrors =>
        description.trim() === '' ? { description: 'Enter a description.' } : {}
      }
      send={(values, { key }) =>
        dataOf(recordSourceIncident({ path: { sourceId: source.id }, body: { ...values, openingId }, ...withKey(key) }))
      }
      onSaved={() => {
        void refreshSources(queryClient)
        notifications.show({
          message: 'Recorded. Another person must approve the record, on this page or under Incidents.',
        })
        close()
      }}
      draft={{ name: `incident-${openingId}`, guards: { kind: oneOf(['incident', 'change']) } }}
      close={close}
      reopen={reopen}
    >
      {({ form, restored }) => (
        <>
          <Text size="sm" component="div">
            The record covers only this stop of the source.
            <DraftHint draft={restored} />
          </Text>
          <Select
            label="Kind"
            data={[
              { value: 'incident', label: 'Incident' },
              { value: 'change', label: 'Change' },
            ]}
            {...form.getInputProps('kind')}
          />
          <Textarea
            label="Description"
            description="Incident or change"
            withAsterisk
            aria-required
            data-autofocus
            autosize
            minRows={3}
            maxLength={2_000}
            {...form.getInputProps('description')}
          />
        </>
      )}
    </FormDialog>
  )
}
