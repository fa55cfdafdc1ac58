import { Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createSource, type Source, saveSourceVersion } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import {
  ContractFields,
  contractOf,
  isJsonObject,
  numberGuards,
  type TypedContract,
  typedContract,
  wrongNumbers,
} from './contract-fields.tsx'
import { refreshSources } from './sources.queries.ts'

type Typed = {
  slug: string
  name: string
  description: string
  adapterId: string
  adapterVersion: string
} & TypedContract

const blank: Typed = { slug: '', name: '', description: '', adapterId: '', adapterVersion: '', ...typedContract({}) }

type Props = { close: () => void; reopen: () => void }

/** Dialog to propose a source with the known parts of its contract. */
export function ProposeDialog({ close, reopen }: Props) {
  const navigate = useNavigate()
  return (
    <ContractDialog
      draftName="propose-source"
      title="Propose source"
      confirmLabel="Propose"
      start={blank}
      isNew
      isBuiltIn={false}
      send={async (typed, key) => {
        const { slug, name, description, adapterId: id, adapterVersion: version } = typed
        const about = { slug, name, ...(description.trim() !== '' && { description }), adapter: { id, version } }
        const source = await dataOf(createSource({ body: { ...about, contract: contractOf(typed) }, ...withKey(key) }))
        void navigate({ to: '/sources/$sourceId', params: { sourceId: source.id } })
        return `${source.name} proposed`
      }}
      close={close}
      reopen={reopen}
    >
      You can save an incomplete version. To approve and enable it, it must be complete.
    </ContractDialog>
  )
}

/** Dialog for a new version of the contract. */
export function NewVersionDialog({ source, close, reopen }: Props & { source: Source }) {
  const { adapter, contract, contractVersion } = source
  return (
    <ContractDialog
      draftName={`source-version-${source.id}`}
      title="New contract version"
      confirmLabel="Save version"
      start={{ ...blank, ...typedContract(contract) }}
      isNew={false}
      isEdit
      isBuiltIn={adapter === null}
      send={async (typed, key) => {
        const body = { basedOn: contractVersion, contract: contractOf(typed) }
        const saved = await dataOf(saveSourceVersion({ path: { sourceId: source.id }, body, ...withKey(key) }))
        return `Version ${saved.contractVersion} saved`
      }}
      close={close}
      reopen={reopen}
    >
      {adapter === null
        ? 'Applies to new records.'
        : 'A new version has no approvals. Saving it disables the source until all three desks approve it and it is enabled again.'}
    </ContractDialog>
  )
}

type DialogProps = Props & {
  draftName: string
  title: string
  confirmLabel: string
  start: Typed
  isNew: boolean
  /** True if `start` is the contract of a source, which someone else may change. */
  isEdit?: boolean
  isBuiltIn: boolean
  children: string
  send: (typed: Typed, key: string) => Promise<string>
}

const adapterFields: Record<string, string> = { 'adapter.id': 'adapterId', 'adapter.version': 'adapterVersion' }

function ContractDialog(props: DialogProps) {
  const {
    draftName,
    title,
    confirmLabel,
    start,
    isNew,
    isEdit = false,
    isBuiltIn,
    children,
    send,
    close,
    reopen,
  } = props
  const queryClient = useQueryClient()
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      size="lg"
      what={title}
      initial={start}
      {...(isEdit && { edits: { reload: () => refreshSources(queryClient) } })}
      validate={(values): FieldErrors => ({
        ...wrongNumbers(values),
        ...(!isJsonObject(values.settings) && { settings: 'Enter a JSON object.' }),
      })}
      send={(values, { key }) => send(values, key)}
      onSaved={(message) => {
        void refreshSources(queryClient)
        notifications.show({ message })
        close()
      }}
      fieldOf={(path) => adapterFields[path] ?? (['slug', 'name', 'description'].includes(path) ? path : undefined)}
      draft={{ name: draftName, guards: numberGuards, gone: close }}
      close={close}
      reopen={reopen}
    >
      {({ form, values, set, isSaving, restored }) => {
        const line = (name: 'slug' | 'name' | 'adapterId' | 'adapterVersion', label: string, maxLength: number) => ({
          label,
          withAsterisk: true,
          'aria-required': true,
          maxLength,
          ...form.getInputProps(name),
        })
        return (
          <>
            <Text size="sm" component="div">
              {children}
              <DraftHint draft={restored} />
            </Text>
            {isNew && (
              <>
                <TextInput data-autofocus {...line('name', 'Name', 100)} />
                <TextInput
                  description="Lower-case letters, digits and hyphens. Cannot be changed later."
                  {...line('slug', 'Short name', 60)}
                />
                <TextInput {...line('adapterId', 'Adapter', 60)} />
                <TextInput {...line('adapterVersion', 'Version of the adapter', 40)} />
                <Textarea label="Description" autosize maxLength={1_000} {...form.getInputProps('description')} />
              </>
            )}
            <ContractFields
              value={values}
              errors={form.errors}
              isBuiltIn={isBuiltIn}
              isHeld={isSaving}
              onChange={set}
            />
          </>
        )
      }}
    </FormDialog>
  )
}
