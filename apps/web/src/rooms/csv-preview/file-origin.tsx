import { Button, Group, TextInput } from '@mantine/core'
import { addSourceFile, listSourceFiles, type SourceFile } from '@prospect/api-client'
import { listSourceFilesQueryKey } from '@prospect/api-client/query'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { isProblem } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { useSession } from '../../ui/api/session.ts'
import { Select } from '../../ui/fields/select.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { SaveForm } from '../../ui/forms/save-form.tsx'
import { type FieldErrors, useSaveForm } from '../../ui/forms/use-save-form.ts'
import { By } from '../../ui/layout/facts.tsx'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './csv-preview.module.css'
import { type NamedFile, sourceLabelOf } from './row-prefill.ts'

/** The file as a recorded source, found by its hash; null if it is not recorded. */
export const sourceFileQuery = (sha256: string) =>
  queryOptions({
    queryKey: listSourceFilesQueryKey({ query: { sha256 } }),
    queryFn: async ({ signal }): Promise<SourceFile | null> => {
      const { items } = await dataOf(listSourceFiles({ query: { sha256 }, signal }))
      return items[0] ?? null
    },
  })

/** The file with the label of its record. A colleague may have recorded the same file under another name. */
export function useNamedFile(name: string, sha256: string): NamedFile {
  const { data } = useQuery(sourceFileQuery(sha256))
  return { name, label: data?.label ?? sourceLabelOf(name, sha256) }
}

type Origin = { ownerId: string; purpose: string; legalBasis: string }
type Props = {
  file: NamedFile & { sha256: string }
  /** Opens the rows without the answers. */
  later: () => void
}

/** Asks once for owner, purpose and legal basis of a file, and records the file as a source. */
export function FileOriginForm({ file, later }: Props) {
  const { user } = useSession()
  const people = usePeopleOptions(user)
  const queryClient = useQueryClient()
  const save = useSaveForm({
    initial: { ownerId: user.id, purpose: '', legalBasis: '' } satisfies Origin as Origin,
    validate: ({ purpose, legalBasis }): FieldErrors => ({
      ...(purpose.trim() === '' && { purpose: 'Enter why the file is used.' }),
      ...(legalBasis.trim() === '' && { legalBasis: 'Enter the legal basis.' }),
    }),
    send: ({ ownerId, purpose, legalBasis }, { key }) => {
      const body = { ...file, ownerId, purpose: purpose.trim(), legalBasis: legalBasis.trim() }
      return dataOf(addSourceFile({ body, ...withKey(key) }))
    },
    onSaved: (recorded) => {
      queryClient.setQueryData(sourceFileQuery(file.sha256).queryKey, recorded)
      void queryClient.invalidateQueries({ queryKey: answersAbout('sources') })
    },
    // A colleague recorded the same file meanwhile: that record remains, and the form closes when it is read.
    explain: async (error) => {
      if (!isProblem(error, 'source_file_exists')) return undefined
      await queryClient.invalidateQueries({ queryKey: answersAbout('sources') })
      return 'handled'
    },
    what: 'the source of the file',
    draft: { name: `source-file-${file.sha256}` },
  })
  const { form, isSaving } = save
  return (
    <SaveForm
      save={save}
      aria-label="Source of the prospects"
      className={classes.origin}
      actions={
        <Group gap="xs">
          <Button type="submit" loading={isSaving}>
            Record and open the rows
          </Button>
          <Button variant="default" disabled={isSaving} onClick={later}>
            Answer later
          </Button>
        </Group>
      }
    >
      <p>
        The file is stored once as the source of its prospects. The name, the fingerprint and these answers are stored,
        but not the rows.
      </p>
      <div className={classes.forAll}>
        <Select label="Owner of the file" data={people} searchable {...form.getInputProps('ownerId')} />
        <TextInput
          label="Purpose"
          placeholder="Introductions to exhibitors of the expo"
          maxLength={inputLimits.filePurpose}
          withAsterisk
          aria-required
          data-first
          {...form.getInputProps('purpose')}
        />
        <TextInput
          label="Legal basis"
          placeholder="Consent, legitimate interest"
          maxLength={inputLimits.filePurpose}
          withAsterisk
          aria-required
          {...form.getInputProps('legalBasis')}
        />
      </div>
    </SaveForm>
  )
}

/** The recorded source of a file, in one line. */
export function FileOriginLine({ file: { owner, purpose, legalBasis, createdBy, createdAt } }: { file: SourceFile }) {
  return (
    <p className="pp-quiet">
      Purpose: <Name of={purpose} />. Legal basis: <Name of={legalBasis} />. Owner: <Name of={owner.name} />. Recorded
      by <By person={createdBy} at={createdAt} />.
    </p>
  )
}

/** Says that the file is not recorded as a source, with a button to do so. */
export function NoFileOrigin({ answer }: { answer: () => void }) {
  return (
    <Group gap="xs">
      <p className="pp-quiet">The purpose and the legal basis of this file are not recorded yet.</p>
      <Button variant="default" size="compact-xs" onClick={answer}>
        Record them
      </Button>
    </Group>
  )
}
