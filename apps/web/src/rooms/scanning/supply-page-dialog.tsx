import { FileInput, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem } from '../../ui/api/api-problem.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { instantOf } from '../../ui/text/day.ts'
import { notATime } from '../../ui/text/day-words.ts'
import { type DroppedPage, nothingProposed, type PageProposal, proposalFrom } from './page-proposal.ts'
import { roleOf, roleWords } from './scan-words.ts'
import { refreshScanning, sendPage } from './scanning.queries.ts'

/** `page` identifies the chosen file, so that another file is another request; it is empty without a file. */
type Values = { page: string; text: string; url: string; role: string | null; capturedAt: string }

const blank: Values = { page: '', text: '', url: '', role: null, capturedAt: '' }
const roles = ['start', 'contact', 'about', 'other'] as const
const MAX_BYTES = 5_000_000

/** Dialog to add one saved page, dropped or pasted. Address, time and role are proposed from the file, and the user confirms them. */
export function SupplyPageDialog({ business, dropped, close, reopen }: OpenProps & { dropped?: DroppedPage }) {
  const queryClient = useQueryClient()
  const { timeZone } = useSession().tenant
  const [file, setFile] = useState<File | null>(dropped?.file ?? null)
  const [proposed, setProposed] = useState<PageProposal>(dropped?.proposal ?? nothingProposed)
  return (
    <FormDialog<Values, unknown>
      title="Supply page"
      submitLabel="Supply page"
      size="lg"
      initial={dropped === undefined ? blank : startOf(dropped)}
      what="the page"
      close={close}
      reopen={reopen}
      validate={(values) => problemsOf(values, file)}
      send={async ({ text, url, role, capturedAt }, { key, at }) =>
        sendPage(
          business.id,
          {
            page: file ?? new Blob([text], { type: 'text/plain' }),
            url: url.trim(),
            capturedAt: instantOf(capturedAt, timeZone, proposed.savedAt) ?? at,
            role: roles.find((one) => one === role) ?? 'other',
          },
          key,
        )
      }
      fieldOf={(path, values) => (path === 'page' ? pageField(values) : Object.hasOwn(values, path) ? path : undefined)}
      explain={(error, values) =>
        isProblem(error, 'page_format_unsupported', 'too_large')
          ? { fields: { [pageField(values)]: error.detail } }
          : undefined
      }
      onSaved={() => {
        void refreshScanning(queryClient)
        notifications.show({ message: 'Page facts stored' })
        close()
      }}
    >
      {({ form, set, values, isSaving }) => {
        const choose = (chosen: File | null) => {
          if (isSaving) return
          setFile(chosen)
          set({ page: chosen === null ? '' : pageOf(chosen) })
          if (chosen === null) return
          void proposalFrom(chosen, timeZone).then((proposal) => {
            set(untyped(values, proposed, proposal))
            setProposed(proposal)
          })
        }
        return (
          <>
            <Text size="sm">
              The facts of the page are stored as supplied by you, not as verified. The page itself is not stored.
            </Text>
            <FileInput
              label="Saved page"
              description="HTML, XHTML or text, at most 5 MB. In the browser: “Save page as”, “Webpage, HTML only”."
              placeholder="Choose or drop file"
              accept="text/html,application/xhtml+xml,text/plain,.html,.htm,.xhtml,.txt"
              clearable
              clearButtonProps={{ 'aria-label': 'Clear “Saved page”' }}
              data-autofocus
              value={file}
              error={form.errors.page}
              onChange={choose}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault()
                choose(event.dataTransfer.files[0] ?? null)
              }}
            />
            {file === null && (
              <Textarea
                label="Or paste the text of the page"
                autosize
                minRows={3}
                maxRows={10}
                {...form.getInputProps('text')}
              />
            )}
            <TextInput
              label="Address of the page"
              placeholder="https://"
              withAsterisk
              aria-required
              maxLength={2_000}
              {...form.getInputProps('url')}
            />
            <Select
              label="Role of the page"
              withAsterisk
              data={roles.map((value) => ({ value, label: roleWords[value] }))}
              {...form.getInputProps('role')}
            />
            <TypedTime
              of="time"
              direction="past"
              label="Saved on"
              description={`When the page was saved. Leave empty for now (${timeZone})`}
              {...form.getInputProps('capturedAt')}
            />
          </>
        )
      }}
    </FormDialog>
  )
}

const pageOf = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`

const startOf = ({ file, proposal: { url, role, capturedAt } }: DroppedPage): Values => ({
  ...blank,
  page: pageOf(file),
  url,
  role,
  capturedAt,
})

/** Field that shows a problem of the page itself. */
const pageField = ({ page }: Values): 'page' | 'text' => (page === '' ? 'text' : 'page')

function problemsOf({ text, url, role, capturedAt }: Values, file: File | null): Record<string, string> {
  const problems: Record<string, string> = {}
  if (file === null && text.trim() === '') problems.text = 'Choose a file, or paste the text of the page.'
  if (file === null && new Blob([text]).size > MAX_BYTES) problems.text = 'The text is larger than 5 MB.'
  if (file !== null && file.size > MAX_BYTES)
    problems.page = 'The file is larger than 5 MB. Save it as “Webpage, HTML only”, or paste its text.'
  if (url.trim() === '') problems.url = 'Enter the address of the page.'
  if (role === null) problems.role = 'Choose the role of the page.'
  if (capturedAt.trim() !== '' && instantOf(capturedAt, 'UTC') === null) problems.capturedAt = notATime(capturedAt)
  return problems
}

/** The parts of a proposal whose fields are empty or still have the values of an earlier proposal. Typed values are not overwritten. */
function untyped(values: Values, before: PageProposal, { url, role, capturedAt }: PageProposal): Partial<Values> {
  const isTyped = (field: 'url' | 'role' | 'capturedAt') =>
    values[field] !== blank[field] && values[field] !== before[field]
  const address = isTyped('url') ? values.url : url
  return {
    ...(isTyped('url') ? {} : { url }),
    ...(isTyped('role') ? {} : { role: role ?? (address === '' ? null : roleOf(address)) }),
    ...(isTyped('capturedAt') ? {} : { capturedAt }),
  }
}
