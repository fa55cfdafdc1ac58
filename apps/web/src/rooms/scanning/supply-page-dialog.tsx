import { FileInput, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serverNow } from '../../ui/api/server-clock.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import type { OpenProps } from '../../ui/rooms/record-parts.ts'
import { roleOf, roleWords, savedFrom } from './scan-words.ts'
import { refreshScanning, sendPage } from './scanning.queries.ts'

type Values = { text: string; url: string; role: string | null; capturedAt: string }

const blank: Values = { text: '', url: '', role: null, capturedAt: '' }
const roles = ['start', 'contact', 'about', 'other'] as const
const MAX_BYTES = 5_000_000

/** Dialog to add one saved page, dropped or pasted. Address, time and role are proposed from the file, and the user confirms them. */
export function SupplyPageDialog({ business, close, reopen }: OpenProps) {
  const queryClient = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  return (
    <FormDialog<Values, unknown>
      title="Supply page"
      submitLabel="Supply page"
      size="lg"
      initial={blank}
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
            capturedAt: capturedAt.trim() === '' ? at : new Date(capturedAt).toISOString(),
            role: roles.find((one) => one === role) ?? 'other',
          },
          key,
        )
      }
      onSaved={() => {
        void refreshScanning(queryClient)
        notifications.show({ message: 'Page facts stored' })
        close()
      }}
    >
      {({ form, set, values }) => {
        const choose = (chosen: File | null) => {
          setFile(chosen)
          if (chosen !== null) void proposalFrom(chosen, values).then(set)
        }
        return (
          <>
            <Text size="sm">
              Its facts are stored as supplied by you, not as verified. The page itself is not stored.
            </Text>
            <FileInput
              label="Saved page"
              description="HTML, XHTML or text, at most 5 MB. In the browser: “Save page as”, “Webpage, HTML only”."
              placeholder="Choose or drop file"
              accept="text/html,application/xhtml+xml,text/plain,.html,.htm,.xhtml,.txt"
              clearable
              data-autofocus
              value={file}
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
            <TextInput
              label="Captured"
              description="When the page was saved, as 2026-11-21T08:30 on this computer's clock. Blank: now"
              maxLength={40}
              {...form.getInputProps('capturedAt')}
            />
          </>
        )
      }}
    </FormDialog>
  )
}

function problemsOf({ text, url, role, capturedAt }: Values, file: File | null): Record<string, string> {
  const problems: Record<string, string> = {}
  if (file === null && text.trim() === '') problems.text = 'Choose a file, or paste the text of the page.'
  if (file !== null && file.size > MAX_BYTES) problems.url = 'The file is larger than 5 MB.'
  if (url.trim() === '') problems.url = 'Write the address of the page.'
  if (role === null) problems.role = 'Choose the role of the page.'
  if (capturedAt.trim() !== '' && Number.isNaN(Date.parse(capturedAt)))
    problems.capturedAt = 'Write a time such as 2026-11-21T08:30.'
  return problems
}

/** Values proposed from the file. Typed values are not overwritten. */
async function proposalFrom(file: File, { url, role, capturedAt }: Values): Promise<Partial<Values>> {
  const address = url === '' ? (savedFrom(await file.slice(0, 4_096).text()) ?? '') : url
  const saved = Math.min(file.lastModified, serverNow().getTime())
  return {
    url: address,
    role: role ?? (address === '' ? null : roleOf(address)),
    capturedAt: capturedAt === '' ? new Date(saved).toISOString() : capturedAt,
  }
}
