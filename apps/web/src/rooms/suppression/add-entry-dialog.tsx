import { Checkbox, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addSuppression, type Suppression } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useSession } from '../../ui/api/session.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { CountrySelect } from '../../ui/fields/country-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { oneOf } from '../../ui/forms/draft-fields.ts'
import { DraftHint } from '../../ui/forms/draft-hint.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { nameText } from '../../ui/text/name-text.ts'
import {
  emptyProvenance,
  isBlankProvenance,
  missingProvenance,
  ProvenanceFields,
  provenanceGuards,
  provenanceOf,
  type TypedProvenance,
} from './provenance-fields.tsx'
import { type NewEntry, refreshAll } from './suppression.queries.ts'
import { entryName, kindWords } from './suppression-words.ts'

type Typed = {
  kind: Suppression['kind']
  value: string
  region: string | null
  withSubdomains: boolean
  acceptUnknownSuffix: boolean
} & TypedProvenance
const empty = {
  kind: 'email' as const,
  value: '',
  withSubdomains: true,
  acceptUnknownSuffix: false,
  ...emptyProvenance,
}
const kinds = ['email', 'phone', 'domain'] as const

/** Fields that the server validates as one value. */
const whole = ['kind', 'value', 'region', 'scope', 'withSubdomains', 'acceptUnknownSuffix']

const hints: Record<Suppression['kind'], string> = {
  email: 'Upper case, labels after a plus sign and, for some providers, dots make no difference.',
  phone: 'The entry matches local and international forms of the number.',
  domain: 'The entry blocks email addresses at this domain and websites under it. Do not enter a public mail provider.',
}

/** Dialog to add one entry. The response states how many records it blocked. */
export function AddEntryDialog({ close, reopen }: { close: () => void; reopen: () => void }) {
  const queryClient = useQueryClient()
  const blank: Typed = { ...empty, region: useSession().tenant.country }
  const [isEndingUnknown, setEndingUnknown] = useState(false)
  return (
    <FormDialog
      title="Add to do-not-contact list"
      submitLabel="Add entry"
      tone="danger"
      what="the entry"
      initial={blank}
      validate={(values) => ({
        ...(values.value.trim() === '' && { value: 'Enter an address, number or domain.' }),
        ...missingProvenance(values),
      })}
      isUndoable
      send={async (values, { key }) => {
        try {
          return await dataOf(addSuppression({ body: entryOf(values), ...withKey(key) }))
        } catch (error) {
          if (isProblem(error) && error.errors.some(({ code }) => code === 'unknown_suffix')) setEndingUnknown(true)
          throw error
        }
      }}
      onSaved={({ suppression, created, marked, ignored }) => {
        void refreshAll(queryClient)
        const outcome = created
          ? `${entryName(suppression)} added. ${countWords(marked, 'prospect is', 'prospects are')} marked do not contact.`
          : `${entryName(suppression)} was already on the list. This request was added to its history.`
        notifications.show({
          message: ignored === null ? outcome : `${outcome} Other text was ignored: ${nameText(ignored)}`,
        })
        close()
      }}
      fieldOf={(path) => (whole.includes(path) ? 'value' : path in emptyProvenance ? path : undefined)}
      together={whole}
      draft={{
        name: 'suppression-new',
        guards: { kind: oneOf(kinds), region: isRegion, ...provenanceGuards },
        isBlank: (values) => values.value.trim() === '' && isBlankProvenance(values),
      }}
      close={close}
      reopen={reopen}
    >
      {({ form, values, restored }) => (
        <>
          <Select
            label="Kind"
            data={Object.entries(kindWords).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('kind')}
          />
          <TextInput
            label={kindWords[values.kind]}
            description={
              <>
                {hints[values.kind]}
                <DraftHint draft={restored} />
              </>
            }
            withAsterisk
            aria-required
            data-autofocus
            autoComplete="off"
            maxLength={inputLimits.suppressedValue}
            {...form.getInputProps('value')}
            onChange={(event) => {
              form.setFieldValue('value', event.currentTarget.value)
              // The confirmation is for the ending that was sent.
              form.setFieldValue('acceptUnknownSuffix', false)
              setEndingUnknown(false)
            }}
          />
          {isEndingUnknown && values.kind !== 'phone' && (
            <Checkbox
              label="This domain ending is correct"
              {...form.getInputProps('acceptUnknownSuffix', { type: 'checkbox' })}
            />
          )}
          {values.kind === 'phone' && (
            <CountrySelect
              label="Country of a local number"
              placeholder="Not set"
              clearable
              {...form.getInputProps('region')}
              value={values.region}
            />
          )}
          {values.kind === 'domain' && (
            <Checkbox label="Include subdomains" {...form.getInputProps('withSubdomains', { type: 'checkbox' })} />
          )}
          <ProvenanceFields form={form} />
        </>
      )}
    </FormDialog>
  )
}

function entryOf({ kind, value, region, withSubdomains, acceptUnknownSuffix, ...provenance }: Typed): NewEntry {
  return {
    kind,
    value: value.trim(),
    region: kind === 'phone' ? region : null,
    scope: kind === 'domain' && withSubdomains ? 'with_subdomains' : 'exact',
    acceptUnknownSuffix,
    ...provenanceOf(provenance),
  }
}

const isRegion = (stored: unknown): stored is string | null => stored === null || typeof stored === 'string'
