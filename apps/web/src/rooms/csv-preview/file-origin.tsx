import { Button, TextInput } from '@mantine/core'
import { addSourceFile, listSourceFiles, type SourceFile } from '@prospect/api-client'
import { listSourceFilesQueryKey } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useSession } from '../../ui/api/session.ts'
import { Select } from '../../ui/fields/select.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { formatDateTime } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './csv-preview.module.css'
import type { FileOrigin } from './row-marks.ts'

/** The file as a recorded source, found by its hash; null if none of its rows became a prospect yet. */
export const sourceFileQuery = (sha256: string) =>
  queryOptions({
    queryKey: listSourceFilesQueryKey({ query: { sha256 } }),
    queryFn: async ({ signal }): Promise<SourceFile | null> => {
      const { items } = await dataOf(listSourceFiles({ query: { sha256 }, signal }))
      return items[0] ?? null
    },
  })

/** Records the file as a source. If a colleague recorded the same file meanwhile, that record remains. */
export async function recordSourceFile(
  file: FileOrigin & { sha256: string; name: string; label: string },
): Promise<void> {
  try {
    await dataOf(addSourceFile({ body: file }))
  } catch (error) {
    if (!isProblem(error, 'source_file_exists')) throw error
  }
}

/** Asks once for owner, purpose and legal basis of a file, before its first row is opened. */
export function FileOriginPanel({ save }: { save: (origin: FileOrigin) => void }) {
  const { user } = useSession()
  const people = usePeopleOptions(user)
  const [origin, setOrigin] = useState<FileOrigin>({ ownerId: user.id, purpose: '', legalBasis: '' })
  const [isAsked, setIsAsked] = useState(false)
  const missing = (value: string, message: string) => (isAsked && value.trim() === '' ? message : undefined)
  return (
    <form
      aria-label="Source of the prospects"
      className={classes.origin}
      onSubmit={(event) => {
        event.preventDefault()
        setIsAsked(true)
        const purpose = origin.purpose.trim()
        const legalBasis = origin.legalBasis.trim()
        if (purpose !== '' && legalBasis !== '') save({ ...origin, purpose, legalBasis })
      }}
    >
      <p>
        When you create the first prospect, the file is stored once as the source of its prospects. The name, the
        fingerprint and these answers are stored, but not the rows.
      </p>
      <div className={classes.forAll}>
        <Select
          label="Owner of the file"
          data={people}
          searchable
          value={origin.ownerId}
          onChange={(ownerId) => ownerId !== null && setOrigin({ ...origin, ownerId })}
        />
        <TextInput
          label="Purpose"
          placeholder="Introductions to exhibitors of the expo"
          maxLength={inputLimits.filePurpose}
          autoFocus
          required
          value={origin.purpose}
          error={missing(origin.purpose, 'Enter why the file is used.')}
          onChange={(event) => setOrigin({ ...origin, purpose: event.currentTarget.value })}
        />
        <TextInput
          label="Legal basis"
          placeholder="Consent, legitimate interest"
          maxLength={inputLimits.filePurpose}
          required
          value={origin.legalBasis}
          error={missing(origin.legalBasis, 'Enter the legal basis.')}
          onChange={(event) => setOrigin({ ...origin, legalBasis: event.currentTarget.value })}
        />
      </div>
      <Button type="submit">Open the rows</Button>
    </form>
  )
}

/** The recorded source of a file, in one line. */
export function FileOriginLine({ file }: { file: SourceFile }) {
  const { timeZone } = useSession().tenant
  return (
    <p className="pp-quiet">
      Source recorded {formatDateTime(file.createdAt, timeZone)}: owner {nameText(file.owner.name)}, purpose{' '}
      {nameText(file.purpose)}, legal basis {nameText(file.legalBasis)}
    </p>
  )
}
