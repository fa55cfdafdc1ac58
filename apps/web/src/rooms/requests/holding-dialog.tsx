import { Button, Group, Loader, Text, TextInput } from '@mantine/core'
import type { Holding } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { useSession } from '../../ui/api/session.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { CountrySelect } from '../../ui/fields/country-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { oneOf } from '../../ui/forms/draft-fields.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { useFollowedJob } from '../../ui/jobs/use-followed-job.ts'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { listWords } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { collect, downloadHolding, failureQuery, type HoldingAbout, holdingQuery } from './holdings.queries.ts'
import { isSensitive } from './request-fields.tsx'
import { valueKindWords } from './request-words.ts'
import { refreshRequests } from './requests.queries.ts'

type Props = { about: HoldingAbout; name: string; close: () => void }

const titleOf = (name: string) => `Everything held about ${name}`
const submitLabel = 'Collect'

/** Dialog of a record. */
export function RecordHoldingDialog({ business, close }: OpenProps) {
  return <HoldingDialog about={{ businessId: business.id }} name={nameText(business.name)} close={close} />
}

/** Collects everything held about a prospect or a value, follows the job, and downloads the file. */
export function HoldingDialog({ about, name, close }: Props) {
  const [made, setMade] = useState<Holding | null>(null)
  if (made !== null) return <Made made={made} name={name} close={close} />
  return (
    <FormDialog<Record<string, never>, Holding>
      title={titleOf(name)}
      submitLabel={submitLabel}
      what="Collect everything held"
      isAction
      initial={{}}
      send={(_values, { key }) => collect(about, key)}
      onSaved={setMade}
      fieldOf={() => undefined}
      close={close}
    >
      {() => <Explained isOfValue={'value' in about} />}
    </FormDialog>
  )
}

type Value = { kind: keyof typeof valueKindWords; value: string; region: string | null }

const kinds = ['email', 'phone', 'domain'] as const
const kindOptions = kinds.map((value) => ({ value, label: valueKindWords[value] }))

/** Collects everything held about a typed value, also if no prospect has it. */
export function ValueHoldingDialog({ close, reopen }: { close: () => void; reopen: () => void }) {
  const { country } = useSession().tenant
  const [made, setMade] = useState<{ holding: Holding; name: string } | null>(null)
  if (made !== null) return <Made made={made.holding} name={made.name} close={close} />
  return (
    <FormDialog<Value, Holding>
      title={titleOf('a value')}
      submitLabel={submitLabel}
      what="Collect everything held"
      isAction
      initial={{ kind: 'email', value: '', region: country }}
      validate={({ kind, value }) => ({
        ...(value.trim() === '' && { value: `Enter the ${valueKindWords[kind].toLowerCase()}.` }),
      })}
      send={({ kind, value, region }, { key }) =>
        collect({ kind, value: value.trim(), ...(kind === 'phone' && region !== null && { region }) }, key)
      }
      onSaved={(holding, { value }) => setMade({ holding, name: nameText(value.trim()) })}
      fieldOf={(path) => (path === 'region' ? 'region' : 'value')}
      together={['kind', 'value', 'region']}
      draft={{
        name: 'holding-value',
        guards: { kind: oneOf(kinds), region: isRegion },
        isBlank: ({ value }) => value.trim() === '',
        isSensitive,
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, values: { kind, region }, restored }) => (
        <>
          <Select label="Kind" data={kindOptions} {...form.getInputProps('kind')} />
          <TextInput
            label={valueKindWords[kind]}
            description={
              <>
                The whole value. Every way to write it is found.
                <DraftHint draft={restored} />
              </>
            }
            withAsterisk
            aria-required
            data-autofocus
            autoComplete="off"
            maxLength={inputLimits.heldValue}
            {...form.getInputProps('value')}
          />
          {kind === 'phone' && (
            <CountrySelect
              label="Country of a local number"
              description="Used for a number without its country code."
              {...form.getInputProps('region')}
              value={region}
            />
          )}
          <Explained isOfValue />
        </>
      )}
    </FormDialog>
  )
}

const isRegion = (stored: unknown): stored is string | null => stored === null || typeof stored === 'string'

function Explained({ isOfValue }: { isOfValue: boolean }) {
  return (
    <div>
      <Text size="sm">
        {isOfValue
          ? 'Makes one file of everything in this workspace that mentions the value: contact values, evidence, notes, interactions, drafts, scans, audit events and the do-not-contact list. The file starts with where each value is from.'
          : 'Makes one file of everything in this workspace about the prospect: contact values, evidence, notes, interactions, drafts, scans, scores, audit events and the do-not-contact list. The file starts with where each value is from.'}
      </Text>
      <Text size="sm" c="dimmed" mt="xs">
        The file includes sensitive notes and values that are marked do not contact. Read it before you hand it over. It
        is deleted after 24 hours. The audit log records who collects and who downloads it.
      </Text>
    </div>
  )
}

const statusWords: Record<Exclude<Holding['status'], 'preparing'>, string> = {
  ready: 'The file is ready.',
  failed: 'The file was not written.',
  expired: 'The file was deleted. Collect it again.',
  removed: 'A prospect was erased, so this file was deleted. Collect it again.',
}

function Made({ made, name, close }: { made: Holding; name: string; close: () => void }) {
  const queryClient = useQueryClient()
  const { data: current = made, refetch } = useQuery({ ...holdingQuery(made.id), initialData: made })
  const { status, file, jobId } = current
  useFollowedJob(status === 'preparing' ? jobId : null, () => void refetch())
  const fetching = useMutation({
    meta: { notDone: 'Download everything held' },
    mutationFn: (format: 'html' | 'json') => downloadHolding(made, format),
    // A download is one of the steps that an answer can name.
    onSuccess: () => refreshRequests(queryClient),
  })
  const downloadButton = (format: 'html' | 'json', label: string) => (
    <Button
      variant={format === 'html' ? 'filled' : 'default'}
      loading={fetching.isPending && fetching.variables === format}
      onClick={() => fetching.mutate(format)}
    >
      {label}
    </Button>
  )
  return (
    <Dialog onClose={close} title={titleOf(name)}>
      <div role="status">
        {status === 'preparing' ? (
          <Group gap="sm">
            <Loader size={18} aria-hidden />
            <b>Collecting…</b>
          </Group>
        ) : (
          <b>{statusWords[status]}</b>
        )}
      </div>
      {status === 'preparing' && (
        <Text size="sm" mt="xs">
          This takes a few seconds. If you close this dialog now, collect again later.
        </Text>
      )}
      {status === 'failed' && <Failure jobId={jobId} />}
      {status === 'ready' && file !== null && (
        <Text size="sm" mt="xs">
          {contentWords(file)} You can download it until <DateTime at={file.expiresAt} as="dateTime" />.
          {file.leftOut.length > 0 && ` Left out, because your role cannot see them: ${listWords(file.leftOut)}.`}
        </Text>
      )}
      {fetching.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(fetching.error)}
        </p>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        {/* The first button stays, so that it keeps the focus when the file is ready. */}
        <Button variant="default" onClick={close} data-autofocus>
          Close
        </Button>
        {status === 'ready' && downloadButton('json', 'Download JSON')}
        {status === 'ready' && downloadButton('html', 'Download to read')}
      </Group>
    </Dialog>
  )
}

/** What a file contains. Entries of the do-not-contact list and requests belong to no prospect. */
function contentWords({ rows, records }: NonNullable<Holding['file']>): string {
  if (rows === 0) return 'Nothing was found, and the file says so.'
  const entries = countWords(rows, 'entry', 'entries')
  return records === 0
    ? `The file contains ${entries}. No prospect has this value.`
    : `The file contains ${entries} from ${countWords(records, 'prospect', 'prospects')}.`
}

function Failure({ jobId }: { jobId: string }) {
  const { data } = useQuery(failureQuery(jobId))
  if (data?.error == null) return null
  return (
    <Text size="sm" mt="xs">
      {localSentence(data.error.message)}
    </Text>
  )
}
