import { Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createSource, type Source, type SourceAdapter, saveSourceVersion } from '@prospect/api-client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import type { SaveForm } from '../../ui/forms/use-save-form.ts'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { listWords } from '../../ui/text/format.ts'
import {
  type AdapterChoice,
  adapterOptions,
  adapterProblems,
  chosenAdapter,
  findAdapter,
  OTHER,
} from './adapter-choice.ts'
import { ContractFields } from './contract-fields.tsx'
import { contractField, contractProblems } from './contract-problems.ts'
import {
  answerFieldsOf,
  contractGuards,
  contractOf,
  movedSettings,
  prescribed,
  type TypedContract,
  typedContract,
} from './contract-values.ts'
import { adaptersQuery, refreshSources } from './sources.queries.ts'

type Typed = { slug: string; name: string; description: string } & AdapterChoice & TypedContract

const blank: Typed = {
  slug: '',
  name: '',
  description: '',
  adapter: '',
  adapterId: '',
  adapterVersion: '',
  ...typedContract({}),
}

type Props = { close: () => void; reopen: () => void }

/** Dialog to propose a source with the known parts of its contract. */
export function ProposeDialog({ close, reopen }: Props) {
  const navigate = useNavigate()
  const title = 'Propose source'
  return (
    <WithAdapters title={title} close={close}>
      {(adapters) => (
        <ContractDialog
          draftName="propose-source"
          title={title}
          confirmLabel="Propose"
          start={blank}
          adapters={adapters}
          adapterOf={(typed) => findAdapter(adapters, chosenAdapter(typed))}
          isNew
          isBuiltIn={false}
          send={async (typed, adapter, key) => {
            const { slug, name, description } = typed
            const body = {
              slug,
              name,
              ...(description.trim() !== '' && { description }),
              adapter: chosenAdapter(typed),
              contract: contractOf(typed, adapter),
            }
            const source = await dataOf(createSource({ body, ...withKey(key) }))
            void navigate({ to: '/sources/$sourceId', params: { sourceId: source.id } })
            return `${source.name} proposed`
          }}
          close={close}
          reopen={reopen}
        >
          You can save an incomplete version. Before approval, the version must be complete.
        </ContractDialog>
      )}
    </WithAdapters>
  )
}

/** Dialog for a new version of the contract. */
export function NewVersionDialog({ source, close, reopen }: Props & { source: Source }) {
  const { adapter, contract, contractVersion } = source
  const title = 'New contract version'
  return (
    <WithAdapters title={title} close={close}>
      {(adapters) => (
        <ContractDialog
          draftName={`source-version-${source.id}`}
          title={title}
          confirmLabel="Save version"
          start={{ ...blank, ...typedContract(contract, findAdapter(adapters, adapter)) }}
          adapters={adapters}
          adapterOf={() => findAdapter(adapters, adapter)}
          isNew={false}
          isEdit
          isBuiltIn={adapter === null}
          send={async (typed, loaded, key) => {
            const body = { basedOn: contractVersion, contract: contractOf(typed, loaded) }
            const saved = await dataOf(saveSourceVersion({ path: { sourceId: source.id }, body, ...withKey(key) }))
            return `Version ${saved.contractVersion} saved`
          }}
          close={close}
          reopen={reopen}
        >
          {adapter === null
            ? 'The new version applies to new records.'
            : 'A new version has no approvals. If you save it, the source is disabled until all three desks approve the version and someone enables the source again.'}
        </ContractDialog>
      )}
    </WithAdapters>
  )
}

type WithAdaptersProps = { title: string; close: () => void; children: (adapters: SourceAdapter[]) => ReactNode }

/** Loads the connectors first, because they decide which inputs a form has. */
function WithAdapters({ title, close, children }: WithAdaptersProps) {
  const adapters = useQuery(adaptersQuery)
  if (adapters.data !== undefined) return children(adapters.data.items)
  return (
    <Dialog onClose={close} title={title} size="lg">
      <RecordBody record={adapters} what="the connectors" lines={6} isPage={false}>
        {() => null}
      </RecordBody>
    </Dialog>
  )
}

type DialogProps = Props & {
  draftName: string
  title: string
  confirmLabel: string
  start: Typed
  adapters: readonly SourceAdapter[]
  /** The adapter of the source, if it is loaded. */
  adapterOf: (typed: Typed) => SourceAdapter | undefined
  isNew: boolean
  /** True if `start` is the contract of a source, which someone else may change. */
  isEdit?: boolean
  isBuiltIn: boolean
  children: string
  send: (typed: Typed, adapter: SourceAdapter | undefined, key: string) => Promise<string>
}

function ContractDialog(props: DialogProps) {
  const { draftName, title, confirmLabel, start, adapters, adapterOf, isNew, isEdit = false, isBuiltIn } = props
  const { children, send, close, reopen } = props
  const queryClient = useQueryClient()
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      size="lg"
      what={title}
      initial={start}
      {...(isEdit && { edits: { reload: () => refreshSources(queryClient) } })}
      validate={(values) => ({
        ...(isNew && adapterProblems(values)),
        ...contractProblems(values, adapterOf(values)),
      })}
      send={(values, { key }) => send(values, adapterOf(values), key)}
      onSaved={(message) => {
        void refreshSources(queryClient)
        notifications.show({ message })
        close()
      }}
      fieldOf={(path, values) => fieldOf(path, values, adapterOf(values))}
      draft={{ name: draftName, guards: contractGuards }}
      close={close}
      reopen={reopen}
    >
      {(save) => (
        <>
          <Text size="sm" component="div">
            {children}
            <DraftHint draft={save.restored} />
          </Text>
          <ContractFields
            form={save.form}
            values={save.values}
            adapter={adapterOf(save.values)}
            isBuiltIn={isBuiltIn}
            set={save.set}
            about={isNew && <AboutFields save={save} adapters={adapters} />}
          />
        </>
      )}
    </FormDialog>
  )
}

function fieldOf(path: string, values: Typed, adapter: SourceAdapter | undefined): string | undefined {
  if (path === 'adapter.id') return values.adapter === OTHER ? 'adapterId' : 'adapter'
  if (path === 'adapter.version') return values.adapter === OTHER ? 'adapterVersion' : 'adapter'
  return ['slug', 'name', 'description'].includes(path) ? path : contractField(path, adapter, values)
}

/** Name and adapter of a new source. */
function AboutFields({ save, adapters }: { save: SaveForm<Typed>; adapters: readonly SourceAdapter[] }) {
  const { form, values, set } = save
  const line = (name: 'slug' | 'name' | 'adapterId' | 'adapterVersion', label: string, maxLength: number) => ({
    label,
    withAsterisk: true,
    'aria-required': true,
    maxLength,
    ...form.getInputProps(name),
  })
  const chosen = findAdapter(adapters, chosenAdapter(values))
  const choose = (next: string | null) => {
    const adapter = next ?? ''
    const to = findAdapter(adapters, chosenAdapter({ ...values, adapter }))
    const prescribedBy = to === undefined ? {} : prescribed(values, to)
    set({ adapter, ...movedSettings(values, chosen, to), ...prescribedBy })
  }
  return (
    <>
      <TextInput data-autofocus {...line('name', 'Name', 100)} />
      <TextInput
        description="Lower-case letters, digits and hyphens. You cannot change the short name later."
        {...line('slug', 'Short name', 60)}
      />
      <Select
        label="Connector"
        description={
          adapters.length === 0
            ? 'No connector is installed. Ask the server operator to install one.'
            : chosen && `Delivers ${listWords(answerFieldsOf(chosen))}.`
        }
        withAsterisk
        data={adapterOptions(adapters)}
        {...form.getInputProps('adapter')}
        value={values.adapter === '' ? null : values.adapter}
        onChange={choose}
      />
      {values.adapter === OTHER && (
        <>
          <TextInput {...line('adapterId', 'Id of the connector', 60)} />
          <TextInput {...line('adapterVersion', 'Version of the connector', 40)} />
        </>
      )}
      <Textarea label="Description" autosize maxLength={1_000} {...form.getInputProps('description')} />
    </>
  )
}
