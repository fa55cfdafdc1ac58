import { Button, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { recordSourceIncident, type Source } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { circuitWords, codeWords } from './source-words.ts'
import classes from './sources.module.css'
import { refreshSources } from './sources.queries.ts'

/** The three states of the circuit, and the first step out of the open one. */
export function CircuitPart({ source }: { source: Source }) {
  const { circuit } = source
  const canReset = useCan('sources.reset_circuit')
  const [isRecording, setRecording] = useState(false)
  return (
    <section aria-labelledby="circuit">
      <h2 id="circuit" className={classes.part}>
        Circuit
      </h2>
      <p>
        <span className={classes.status} data-status={circuit.state === 'open' ? 'stopped' : circuit.state}>
          {circuitWords[circuit.state]}
        </span>
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
        <>
          <p className={classes.meta}>
            It does not restart by itself. Somebody records what happened or what was changed, another person approves
            the record, and then the circuit is reset with it, within 7 days.
          </p>
          <div className={classes.actions}>
            {canReset && (
              <Button variant="default" onClick={() => setRecording(true)}>
                Record an incident or change…
              </Button>
            )}
            <Link to="/sources/incidents">Records of all sources</Link>
          </div>
        </>
      )}
      <DialogSlot>
        {isRecording && circuit.openingId !== null && (
          <RecordIncident source={source} openingId={circuit.openingId} close={() => setRecording(false)} />
        )}
      </DialogSlot>
    </section>
  )
}

function RecordIncident({ source, openingId, close }: { source: Source; openingId: string; close: () => void }) {
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<'incident' | 'change'>('incident')
  const [description, setDescription] = useState('')
  const { keyFor, done } = useIdempotencyKey()
  const body = { kind, openingId, description }
  const record = useMutation({
    meta: { notSaved: 'the record' },
    mutationFn: () => dataOf(recordSourceIncident({ path: { sourceId: source.id }, body, ...withKey(keyFor(body)) })),
    onSuccess: () => {
      done()
      void refreshSources(queryClient)
      notifications.show({ message: 'Recorded. Another person approves it under Incidents.' })
      close()
    },
  })
  return (
    <ConfirmDialog
      title="Record an incident or change"
      confirmLabel="Record"
      isBusy={record.isPending}
      isDisabled={description.trim() === ''}
      error={record.error}
      onConfirm={() => record.mutate()}
      onClose={close}
    >
      <Text size="sm">It is about this opening of the circuit alone.</Text>
      <Select
        label="Kind"
        data={[
          { value: 'incident', label: 'Incident' },
          { value: 'change', label: 'Change' },
        ]}
        value={kind}
        onChange={(next) => (next === 'incident' || next === 'change') && setKind(next)}
      />
      <Textarea
        label="What happened, or what was changed"
        withAsterisk
        aria-required
        autosize
        minRows={3}
        maxLength={2_000}
        value={description}
        readOnly={record.isPending}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
